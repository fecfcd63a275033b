import type { Prisma, StepType, TriggerType } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { eventsAwaited } from '../awaited-events.rules.ts';
import { readLive } from '../definitions/definitions.store.ts';
import type { EventExit, ExitRule, WorkflowGoal } from '../definitions/ends.rules.ts';
import { attemptRequest } from '../requests/attempt.ts';
import { type ClaimedRequest, settleRequests } from '../requests/requests.store.ts';
import type { StepConfigs } from '../steps/steps.schema.ts';
import { insertVersion } from '../versions/versions.store.ts';
import { endColumns, findWorkflow } from '../workflows.store.ts';
import { type FilledTexts, fillInFirst } from './fill-in.ts';
import { takeSet } from './take-set.ts';

export interface GivenStep {
  type: StepType;
  config?: object;
  templateId?: string | null;
}

export interface GivenTransition {
  from: string;
  to: string;
  branch?: string;
  waitOutcome?: 'EVENT' | 'TIMEOUT';
}

/** A goal that ends executions, or has them go on at a step. */
export interface GivenGoal extends EventExit {
  toStep?: string;
}

export interface BuiltWorkflow {
  id: string;
  projectId: string;
  /** ids of steps by name */
  step(name: string): string;
  nameOf(stepId: string | null): string | null;
}

/** Inserts a workflow: a TRIGGER named `trigger` and the given steps, connected in their order unless transitions are given. */
export async function buildWorkflow(
  services: Services,
  projectId: string,
  steps: Record<string, GivenStep>,
  {
    transitions,
    eventName = 'signup',
    ...fields
  }: {
    transitions?: GivenTransition[];
    eventName?: string;
    allowReentry?: boolean;
    enabled?: boolean;
    triggerType?: TriggerType;
    triggerConfig?: object;
  } = {},
): Promise<BuiltWorkflow> {
  const { prisma } = services.database;
  const id = newId();
  const all: Record<string, GivenStep> = { trigger: { type: 'TRIGGER', config: { eventName } }, ...steps };
  const ids = new Map(Object.keys(all).map((name) => [name, newId()]));
  const step = (name: string): string => {
    const found = ids.get(name);
    if (found === undefined) throw new Error(`no step is named ${name}`);
    return found;
  };
  await prisma.workflow.create({
    data: { id, projectId, name: 'Test', enabled: true, triggerConfig: { eventName }, ...fields },
  });
  await prisma.eventInterest.create({ data: { projectId, name: eventName, sourceId: id } });
  await prisma.workflowStep.createMany({
    data: Object.entries(all).map(([name, { type, config = {}, templateId = null }]) => ({
      id: step(name),
      projectId,
      workflowId: id,
      key: name,
      type,
      name,
      config,
      templateId,
    })),
  });
  const names = Object.keys(all);
  const chain = names.slice(1).map((to, index): GivenTransition => ({ from: names[index] ?? '', to }));
  await prisma.workflowTransition.createMany({
    data: (transitions ?? chain).map(({ from, to, branch = null, waitOutcome = null }) => ({
      id: newId(),
      projectId,
      workflowId: id,
      fromStepId: step(from),
      toStepId: step(to),
      branch,
      waitOutcome,
    })),
  });
  for (const { type, config } of Object.values(steps)) {
    if (type !== 'WAIT_FOR_EVENT') continue;
    await prisma.eventInterest.createMany({
      data: eventsAwaited(config as StepConfigs['WAIT_FOR_EVENT']).map(({ eventName: name }) => ({
        projectId,
        name,
        sourceId: id,
      })),
      skipDuplicates: true,
    });
  }
  const namesById = new Map([...ids].map(([name, stepId]) => [stepId, name]));
  return { id, projectId, step, nameOf: (stepId) => namesById.get(stepId ?? '') ?? null };
}

/** Publishes what was built as version 1, with goals and exit rules: who enters from now on runs it. */
export async function publishBuilt(
  services: Services,
  { id, projectId, step }: BuiltWorkflow,
  { exits = [], goals = [] }: { exits?: ExitRule[]; goals?: GivenGoal[] },
): Promise<void> {
  const { prisma } = services.database;
  const ends: { exits: ExitRule[]; goals: WorkflowGoal[] } = { exits, goals: [] };
  for (const { name, eventName, where = [], toStep } of goals) {
    const goalId = newId();
    await prisma.goal.create({
      data: { id: goalId, projectId, name, eventName, conditions: where as unknown as Prisma.InputJsonArray },
    });
    const effect = toStep === undefined ? ('EXIT' as const) : ('JUMP' as const);
    // The key of a step is its name here.
    if (toStep !== undefined) step(toStep);
    ends.goals.push({ goalId, effect, ...(toStep !== undefined && { toStepKey: toStep }) });
  }
  await prisma.workflow.update({ where: { id }, data: endColumns(ends) });
  const workflow = await findWorkflow(prisma, projectId, id);
  if (!workflow) throw new Error('the workflow is gone');
  const author = { actorType: 'system', actorId: null, keyName: null };
  const definition = await readLive(prisma, workflow);
  await insertVersion(prisma, workflow, author, { version: 1, definition, note: null, move: null });
  await prisma.workflow.update({ where: { id }, data: { version: 1 } });
  await prisma.eventInterest.createMany({
    data: [...exits, ...goals].flatMap((rule) =>
      'eventName' in rule ? [{ projectId, name: rule.eventName, sourceId: id }] : [],
    ),
    skipDuplicates: true,
  });
}

export async function buildContact(
  services: Services,
  projectId: string,
  { data = {}, subscribed = true }: { data?: object; subscribed?: boolean } = {},
): Promise<{ id: string; email: string }> {
  const id = newId();
  const email = `${id}@people.test`;
  await services.database.prisma.contact.create({ data: { id, projectId, email, data, subscribed } });
  return { id, email };
}

export async function buildTemplate(
  services: Services,
  projectId: string,
  {
    type = 'TRANSACTIONAL' as 'TRANSACTIONAL' | 'MARKETING',
    subject = 'Hi {{name}}',
    from = 'us@mail.test',
  } = {},
): Promise<string> {
  const id = newId();
  await services.database.prisma.template.create({
    data: {
      id,
      projectId,
      name: 'T',
      subject,
      body: '<p>{{event.plan}}</p>',
      from,
      type,
    },
  });
  return id;
}

/** Stores an event as the product does. */
export async function storeEvent(
  services: Services,
  { projectId, contactId, name, data }: { projectId: string; contactId: string; name: string; data?: object },
): Promise<string> {
  const id = newId();
  await services.database.prisma.event.create({
    data: { id, projectId, contactId, name, ...(data ? { data } : {}) },
  });
  return id;
}

export type Advanced =
  | { kind: 'end' }
  /** until null: until an event */
  | { kind: 'wait'; until: number | null };

/**
 * Advances one execution as runners and the requests of WEBHOOK steps do, until it waits or has ended.
 *
 * @param clock milliseconds since the epoch
 */
export async function advanceExecution(
  services: Services,
  id: string,
  clock: () => Promise<number> = async () => Date.now(),
): Promise<Advanced> {
  const { prisma } = services.database;
  const filledTexts: FilledTexts = new Map();
  for (;;) {
    const now = new Date(await clock());
    const row = await prisma.workflowExecution.findUnique({ where: { id } });
    if (!row) return { kind: 'end' };
    const { projectId, workflowId, status } = row;
    const isActive = status === 'RUNNING' || status === 'WAITING';
    // A running one is due, whatever the clock of the test says.
    if (row.dueAt !== null && (status !== 'WAITING' || row.dueAt <= now)) {
      const set = await takeSet(
        services,
        { projectId, workflowId },
        { limit: 1, ids: [id], now, filledTexts },
      );
      await fillInFirst(services, projectId, [...set.needed.values()], filledTexts);
      if (set.needed.size > 0)
        await takeSet(services, { projectId, workflowId }, { limit: 1, ids: [id], now, filledTexts });
      continue;
    }
    if (!isActive) return { kind: 'end' };
    const request = await prisma.stepRequest.findFirst({ where: { executionId: id } });
    if (!request) return { kind: 'wait', until: row.dueAt?.getTime() ?? null };
    if (request.dueAt > now) return { kind: 'wait', until: request.dueAt.getTime() };
    await attempt(services, request, now);
  }
}

/** Claims the request of one execution, makes it and records the answer. */
async function attempt(
  services: Services,
  { stepExecutionId }: Prisma.StepRequestGetPayload<object>,
  now: Date,
): Promise<void> {
  const { prisma, durable } = services.database;
  const leaseUntil = new Date(now.getTime() + 30_000);
  const { projectId, attempt, executionId, host, request } = await prisma.stepRequest.update({
    where: { stepExecutionId },
    data: { attempt: { increment: 1 }, token: newId(), dueAt: leaseUntil, leaseUntil },
  });
  const { token } = await prisma.stepRequest.findUniqueOrThrow({ where: { stepExecutionId } });
  const project = await prisma.project.findUniqueOrThrow({ where: { id: projectId } });
  const { result, answered } = await attemptRequest(services, {
    ...{ stepExecutionId, executionId, projectId, attempt, host, turn: '', token: token ?? '' },
    request: request as unknown as ClaimedRequest['request'],
    secretCipher: project.webhookSecretCipher,
  });
  await settleRequests(durable, [result], new Date(now.getTime() + answered.ms));
}
