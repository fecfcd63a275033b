import { newId } from '@postrider/core/base/lib';
import { routeId } from '@postrider/core/base/providers';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import type { TestApp } from './harness.ts';

const minute = 60_000;
export const ago = (minutes: number): Date => new Date(Date.now() - minutes * minute);
export const ahead = (minutes: number): Date => ago(-minutes);

type Prisma = TestApp['services']['database']['prisma'];
type Created<Model extends keyof Prisma> = Prisma[Model] extends { create(args: infer Args): unknown }
  ? Args extends { data: infer Data }
    ? Partial<Data>
    : never
  : never;

/** Plants what causes something in a project of its own. */
export class Kit {
  readonly test: TestApp;
  readonly project: TestProject;
  readonly domainId: string;
  readonly domain: string;
  readonly contentId: string;
  readonly #undoing: (() => PromiseLike<unknown>)[] = [];

  private constructor(
    test: TestApp,
    project: TestProject,
    domain: string,
    domainId: string,
    contentId: string,
  ) {
    this.test = test;
    this.project = project;
    this.domain = domain;
    this.domainId = domainId;
    this.contentId = contentId;
  }

  static async open(test: TestApp): Promise<Kit> {
    const project = await createTestProject(test.services);
    const domain = `d${project.id.slice(-8)}.example.com`;
    const domainId = await verifiedDomain(test.services, project.id, domain);
    const contentId = newId();
    const kit = new Kit(test, project, domain, domainId, contentId);
    await kit.content(contentId, `hello@${domain}`);
    return kit;
  }

  get db(): Prisma {
    return this.test.services.database.prisma;
  }

  get projectId(): string {
    return this.project.id;
  }

  get from(): string {
    return `hello@${this.domain}`;
  }

  /** What is not of the project, and would be found by other cases, is undone. */
  afterwards(undo: () => PromiseLike<unknown>): void {
    this.#undoing.push(undo);
  }

  async close(): Promise<void> {
    for (const undo of this.#undoing) await undo();
  }

  /** The mail server takes no email from the domain at present. */
  async pause(reason = '421 later'): Promise<void> {
    await this.db.senderPause.create({
      data: {
        routeId: routeId(this.test.services.config),
        sender: this.domainId,
        from: this.from,
        reason,
        failures: 1,
        nextProbeAt: ahead(1),
      },
    });
  }

  async content(id: string, from: string): Promise<string> {
    await this.db.content.create({
      data: {
        id,
        projectId: this.projectId,
        hash: Buffer.from(id),
        type: 'MARKETING',
        sourceType: 'TRANSACTIONAL',
        subject: 'Hello',
        body: '<p>Hello</p>',
        from,
        projectName: 'Explained',
      },
    });
    return id;
  }

  async contact(over: Created<'contact'> = {}): Promise<{ id: string; email: string }> {
    const id = newId();
    const email = `c${id.slice(-12)}@people.test`;
    const row = await this.db.contact.create({
      data: { id, projectId: this.projectId, email, createdAt: ago(600), ...over } as never,
      select: { id: true, email: true },
    });
    return row;
  }

  async email(contact: { id: string; email: string } | null, over: Created<'email'> = {}): Promise<string> {
    const id = newId();
    await this.db.email.create({
      data: {
        id,
        projectId: this.projectId,
        contactId: contact?.id ?? null,
        to: contact?.email ?? '',
        type: 'MARKETING',
        sourceType: 'TRANSACTIONAL',
        contentId: this.contentId,
        createdAt: ago(60),
        updatedAt: ago(30),
        tags: [],
        ...over,
      } as never,
    });
    return id;
  }

  /** An email that waits in a batch. */
  async waiting(
    contact: { id: string; email: string },
    over: Created<'email'> = {},
    batch: Created<'deliveryBatch'> = {},
  ): Promise<string> {
    const batchId = newId();
    const id = await this.email(contact, { status: 'PENDING', batchId, ...over } as never);
    await this.db.deliveryBatch.create({
      data: {
        id: batchId,
        projectId: this.projectId,
        domainId: this.domainId,
        priority: 1,
        emailIds: [id],
        ...batch,
      } as never,
    });
    return id;
  }

  async interaction(
    emailId: string,
    type: 'deferral' | 'bounce' | 'complaint' | 'delay',
    detail: string,
    at = ago(40),
  ): Promise<void> {
    await this.db.interaction.create({
      data: { id: newId(), projectId: this.projectId, emailId, type, detail, at },
    });
  }

  async event(
    contactId: string,
    name: string,
    at: Date,
    data: Record<string, string> = {},
    kind: 'CUSTOM' | 'SYSTEM' = 'SYSTEM',
  ): Promise<string> {
    const id = newId();
    await this.db.event.create({
      data: { id, projectId: this.projectId, contactId, name, kind, data, createdAt: at },
    });
    return id;
  }

  async suppress(email: string, over: Created<'suppression'> = {}): Promise<void> {
    await this.db.suppression.create({
      data: { projectId: this.projectId, email, reason: 'BOUNCE', createdAt: ago(120), ...over } as never,
    });
  }

  async audit(operation: string, targetId: string, at: Date, changed: string[] = []): Promise<void> {
    const { actor } = await this.project.userCtx('OWNER');
    await this.db.auditLog.create({
      data: {
        id: newId(),
        projectId: this.projectId,
        operation,
        actorType: 'user',
        actorId: actor.type === 'user' ? actor.userId : null,
        requestId: 'planted',
        targetType: 'record',
        targetId,
        changed,
        createdAt: at,
      },
    });
  }

  async campaign(over: Created<'campaign'> = {}): Promise<string> {
    const id = newId();
    await this.db.campaign.create({
      data: {
        id,
        projectId: this.projectId,
        name: 'Spring',
        subject: 'Hello',
        body: '<p>Hello</p>',
        from: this.from,
        audienceType: 'ALL',
        createdAt: ago(500),
        ...over,
      } as never,
    });
    await this.db.campaignCounter.create({ data: { campaignId: id, projectId: this.projectId } });
    return id;
  }

  /** A campaign whose audience was written down. */
  sent = (over: Created<'campaign'> = {}): Promise<string> =>
    this.campaign({ status: 'SENT', sentAt: ago(60), frozenAt: ago(59), ...over } as never);

  async segment(over: Created<'segment'> = {}): Promise<string> {
    const id = newId();
    await this.db.segment.create({
      data: {
        id,
        projectId: this.projectId,
        name: 'Readers',
        slug: `readers-${id.slice(-12)}`,
        createdAt: ago(500),
        updatedAt: ago(500),
        ...over,
      } as never,
    });
    return id;
  }

  async workflow(over: Created<'workflow'> = {}): Promise<Workflow> {
    const id = newId();
    await this.db.workflow.create({
      data: {
        id,
        projectId: this.projectId,
        name: 'Welcome',
        enabled: true,
        triggerConfig: { eventName: 'signup' },
        triggersSince: ago(300),
        createdAt: ago(500),
        ...over,
      } as never,
    });
    const step = async (type: string, name: string, config: object = {}): Promise<string> => {
      const stepId = newId();
      await this.db.workflowStep.create({
        data: {
          id: stepId,
          projectId: this.projectId,
          workflowId: id,
          type,
          name,
          config,
          textReads: [],
        } as never,
      });
      return stepId;
    };
    const trigger = await step('TRIGGER', 'Start', { eventName: 'signup' });
    const condition = await step('CONDITION', 'Plan?', {
      field: 'data.plan',
      operator: 'equals',
      value: 'pro',
    });
    const send = await step('SEND_EMAIL', 'Welcome letter');
    const delay = await step('DELAY', 'A day', { amount: 1, unit: 'days' });
    const way = (fromStepId: string, toStepId: string, branch: string | null = null) =>
      this.db.workflowTransition.create({
        data: { id: newId(), projectId: this.projectId, workflowId: id, fromStepId, toStepId, branch },
      });
    await way(trigger, condition);
    await way(condition, send, 'yes');
    await way(condition, delay, 'no');
    return { id, trigger, condition, send, delay };
  }

  async execution(
    workflowId: string,
    contactId: string,
    over: Created<'workflowExecution'> = {},
  ): Promise<string> {
    const id = newId();
    await this.db.workflowExecution.create({
      data: {
        id,
        projectId: this.projectId,
        workflowId,
        contactId,
        startedAt: ago(60),
        createdAt: ago(60),
        completedAt: ago(50),
        ...over,
      } as never,
    });
    return id;
  }

  async run(
    executionId: string,
    stepId: string,
    over: Created<'workflowStepExecution'> = {},
  ): Promise<string> {
    const id = newId();
    await this.db.workflowStepExecution.create({
      data: {
        id,
        projectId: this.projectId,
        executionId,
        stepId,
        status: 'COMPLETED',
        startedAt: ago(58),
        completedAt: ago(58),
        ...over,
      } as never,
    });
    return id;
  }
}

export interface Workflow {
  id: string;
  trigger: string;
  condition: string;
  send: string;
  delay: string;
}

export const refusal = (klass: string, code: string, reply: number, text: string) => ({
  class: klass,
  code,
  reply,
  text,
  at: ago(30).toISOString(),
});

/** As it is stored. */
export const json = (value: object) => JSON.parse(JSON.stringify(value));

export const tree = (field: string, operator: string, value?: unknown) =>
  json({
    logic: 'AND',
    groups: [
      {
        filters: [
          { field: 'email', operator: 'contains', value: '@' },
          { field, operator, value },
        ],
      },
    ],
  });
