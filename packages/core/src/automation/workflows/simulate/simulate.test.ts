import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { buildContact, buildTemplate, buildWorkflow, publishBuilt } from '../runtime/runtime.fixture.ts';
import { findWorkflow } from '../workflows.store.ts';
import { simulate, simulateWorkflow } from './simulate-workflow.ts';
import { readSimulated } from './simulated-definition.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});

type Input = z.input<typeof simulateWorkflow.input>;
type Result = Awaited<ReturnType<typeof simulateWorkflow.run>>;

const run = (input: Input): Promise<Result> => simulateWorkflow.run(project.ctx, input);
const hour = 3_600_000;
const day = 24 * hour;
const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** The number of rows of everything that a workflow writes. */
async function written(): Promise<number[]> {
  const { prisma } = test.services.database;
  const where = { projectId: project.id };
  return Promise.all([
    prisma.workflowExecution.count({ where }),
    prisma.workflowStepExecution.count({ where }),
    prisma.workflowEntry.count({ where }),
    prisma.stepRequest.count({ where }),
    prisma.email.count({ where }),
    prisma.content.count({ where }),
    prisma.event.count({ where }),
  ]);
}

/** Every type of step: a purchase within three days ends the wait, and the answer of the CRM is asked for first. */
async function everyStep() {
  const templateId = await buildTemplate(test.services, project.id, {
    subject: 'Hi {{name}}, {{event.total}}',
    type: 'MARKETING',
  });
  return buildWorkflow(
    test.services,
    project.id,
    {
      update: {
        type: 'UPDATE_CONTACT',
        config: { data: { plan: '{{event.plan}}' }, subscriptionAction: 'none' },
      },
      pause: { type: 'DELAY', config: { amount: 2, unit: 'days' } },
      ask: { type: 'CONDITION', config: { field: 'data.plan', operator: 'equals', value: 'pro' } },
      mail: { type: 'SEND_EMAIL', templateId },
      call: { type: 'WEBHOOK', config: { url: 'https://hooks.example.com/{{plan}}' } },
      wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 3 * 86_400 } },
      paid: { type: 'EXIT', config: { reason: 'paid' } },
      late: { type: 'EXIT', config: {} },
      other: { type: 'EXIT', config: { reason: 'no pro' } },
    },
    {
      transitions: [
        { from: 'trigger', to: 'update' },
        { from: 'update', to: 'pause' },
        { from: 'pause', to: 'ask' },
        { from: 'ask', to: 'mail', branch: 'yes' },
        { from: 'ask', to: 'other', branch: 'no' },
        { from: 'mail', to: 'call' },
        { from: 'call', to: 'wait' },
        { from: 'wait', to: 'paid', waitOutcome: 'EVENT' },
        { from: 'wait', to: 'late', waitOutcome: 'TIMEOUT' },
      ],
    },
  );
}

const namesOf = ({ executions }: Result) => executions[0]?.stepExecutions.map(({ step }) => step?.name);
const stepOf = ({ executions }: Result, name: string) =>
  executions[0]?.stepExecutions.find(({ step }) => step?.name === name);
const figuresOf = ({ steps }: Result, name: string) => steps.find((step) => step.name === name);

describe('CONTACT', () => {
  it('a condition right after an email knows whether it is skipped, and that nothing more is known is told', async () => {
    const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
    const asking = (field: string) => ({ field, operator: 'occurred' }) as const;
    const { id } = await buildWorkflow(
      test.services,
      project.id,
      {
        mail: { type: 'SEND_EMAIL', templateId },
        skipped: {
          type: 'CONDITION',
          config: { condition: { logic: 'AND', groups: [{ filters: [asking('step.mail.skipped')] }] } },
        },
        opened: {
          type: 'CONDITION',
          config: { condition: { logic: 'AND', groups: [{ filters: [asking('step.mail.opened')] }] } },
        },
      },
      {
        transitions: [
          { from: 'trigger', to: 'mail' },
          { from: 'mail', to: 'skipped' },
          { from: 'skipped', to: 'opened', branch: 'no' },
        ],
      },
    );
    const trying = async (subscribed: boolean) => {
      const contact = await buildContact(test.services, project.id, { subscribed });
      return run({ id, mode: 'CONTACT', contactId: contact.id });
    };
    const out = await trying(false);
    expect(stepOf(out, 'skipped')?.output).toMatchObject({ branch: 'yes' });
    expect(out.warnings).toEqual([]);
    const reached = await trying(true);
    expect(stepOf(reached, 'opened')?.output).toMatchObject({ branch: 'no' });
    expect(reached.warnings).toMatchObject([{ code: 'event_not_stored', count: 1 }]);
  });

  it('shows each step at its time, with what the contact becomes, and writes, locks and requests nothing', async () => {
    const { id } = await everyStep();
    const contact = await buildContact(test.services, project.id, { data: { name: 'Ada', plan: 'free' } });
    const before = await written();
    const startAt = new Date(Date.UTC(2027, 2, 1, 9)).toISOString();
    const at = (ms: number) => new Date(Date.parse(startAt) + ms).toISOString();
    const refusing = {
      ...test.services,
      http: { ...test.services.http, send: () => Promise.reject(new Error('a request')) },
    };
    // Somebody holds the contact: a simulation that locked it would wait for its whole time.
    const client = await test.services.database.durable.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM "Contact" WHERE "id" = $1 FOR UPDATE', [contact.id]);
    const result = await simulateWorkflow
      .run(
        { ...project.ctx, services: refusing },
        {
          id,
          mode: 'CONTACT',
          contactId: contact.id,
          context: { plan: 'pro', total: 80 },
          events: [{ eventName: 'paid', data: { amount: 5 }, at: at(3 * day) }],
          startAt,
        },
      )
      .finally(() => client.query('ROLLBACK').then(() => client.release()));

    expect(namesOf(result)).toEqual(['trigger', 'update', 'pause', 'ask', 'mail', 'call', 'wait', 'paid']);
    expect(result).toMatchObject({
      mode: 'CONTACT',
      definition: 'live',
      people: 1,
      ended: { completed: 0, exited: 1, failed: 0, cancelled: 0 },
      emails: {
        written: 1,
        perDay: [{ day: '2027-03-03', count: 1 }],
        perPerson: { median: 1, p95: 1, max: 1 },
        skipped: {},
      },
      requests: 1,
      stopped: false,
      warnings: [{ code: 'external_answer', count: 1 }],
    });
    expect(result.executions[0]).toMatchObject({
      status: 'EXITED',
      exitReason: 'paid',
      contactId: contact.id,
      context: { plan: 'pro', total: 80, amount: 5 },
    });
    expect(String(stepOf(result, 'pause')?.startedAt)).toBe(startAt);
    expect(String(stepOf(result, 'mail')?.startedAt)).toBe(at(2 * day));
    expect(stepOf(result, 'mail')?.output).toMatchObject({
      emailId: null,
      recipientEmail: contact.email,
      skipped: null,
      subject: 'Hi Ada, 80',
    });
    expect(stepOf(result, 'call')?.output).toEqual({
      ...{ url: 'https://hooks.example.com/pro', method: 'POST', statusCode: 200 },
      ...{ success: true, response: null, attempts: 1 },
    });
    expect(stepOf(result, 'wait')).toMatchObject({ status: 'COMPLETED', stepKey: expect.any(String) });
    expect(String(stepOf(result, 'wait')?.completedAt)).toBe(at(3 * day));
    expect(await written()).toEqual(before);
  });

  it('takes the timeout when the event comes after it', async () => {
    const { id } = await everyStep();
    const contact = { email: 'new@people.test', data: { name: 'Grace' } };
    const events = [{ eventName: 'paid', at: later(6 * day) }];
    const result = await run({ id, mode: 'CONTACT', contact, context: { plan: 'pro' }, events });
    expect(namesOf(result)?.at(-1)).toBe('late');
    expect(result.executions[0]?.contact.email).toBe('new@people.test');
    expect(stepOf(result, 'wait')?.output).toMatchObject({ waitOutcome: 'TIMEOUT' });
  });

  it('answers WEBHOOK steps as told, and an answer that is repeated until it fails fails the step', async () => {
    const { id } = await everyStep();
    const key = (
      await test.services.database.prisma.workflowStep.findFirstOrThrow({
        where: { workflowId: id, name: 'call' },
      })
    ).key;
    const contact = { email: 'new@people.test' };
    const given = { id, mode: 'CONTACT' as const, contact, context: { plan: 'pro' } };
    const told = await run({
      ...given,
      webhooks: { [key]: { statusCode: 404, response: { tier: 'gold' } } },
    });
    expect(stepOf(told, 'call')?.output).toMatchObject({
      statusCode: 404,
      success: false,
      response: { tier: 'gold' },
    });
    expect(told.warnings).toEqual([]);
    const failing = await run({ ...given, webhooks: { [key]: { statusCode: 503 } } });
    expect(failing.executions[0]).toMatchObject({
      status: 'FAILED',
      exitReason: 'The webhook failed after 5 attempts: the answer was 503',
    });
    expect(figuresOf(failing, 'call')).toMatchObject({ entered: 1, left: 0, failed: 1, here: 0 });
    await expect(run({ ...given, webhooks: { nowhere: 'LAST' } })).rejects.toMatchObject({
      errors: [{ field: 'webhooks.nowhere', code: 'unknown_reference' }],
    });
  });

  it('an update that unsubscribes skips the email of the same moment, and is what a wait may look for', async () => {
    const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
    const { id } = await buildWorkflow(test.services, project.id, {
      mail: { type: 'SEND_EMAIL', templateId },
      leave: { type: 'UPDATE_CONTACT', config: { data: {}, subscriptionAction: 'unsubscribe' } },
      wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'contact.unsubscribed', timeout: 60 } },
    });
    const result = await run({ id, mode: 'CONTACT', contact: { email: 'new@people.test' } });
    expect(stepOf(result, 'mail')?.output).toMatchObject({ skipped: 'unsubscribed' });
    expect(stepOf(result, 'wait')?.output).toMatchObject({
      waitOutcome: 'EVENT',
      eventData: { reason: 'workflow' },
    });
    expect(result.emails).toMatchObject({ written: 1, skipped: { unsubscribed: 1 }, perDay: [] });
  });
});

/** Contacts with a plan each, every second one subscribed. */
async function crowd(count: number): Promise<string[]> {
  const contacts = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    projectId: project.id,
    email: `p${index}@people.test`,
    data: { plan: index % 4 === 0 ? 'pro' : 'free' },
    subscribed: index % 2 === 0,
  }));
  await test.services.database.prisma.contact.createMany({ data: contacts });
  return contacts.map(({ id }) => id);
}

/** A wait, a condition and an email. */
async function reminder(options: { allowReentry?: boolean } = {}) {
  const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
  return buildWorkflow(
    test.services,
    project.id,
    {
      wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 86_400 } },
      ask: { type: 'CONDITION', config: { field: 'data.plan', operator: 'equals', value: 'pro' } },
      mail: { type: 'SEND_EMAIL', templateId },
    },
    {
      transitions: [
        { from: 'trigger', to: 'wait' },
        { from: 'wait', to: 'ask', waitOutcome: 'TIMEOUT' },
        { from: 'ask', to: 'mail', branch: 'no' },
      ],
      ...options,
    },
  );
}

const keyOf = async (workflowId: string, name: string): Promise<string> =>
  (await test.services.database.prisma.workflowStep.findFirstOrThrow({ where: { workflowId, name } })).key;

describe('SAMPLE', () => {
  it('draws contacts and the ends of waits by the seed: the same request gives the same reply', async () => {
    await crowd(600);
    const { id } = await reminder();
    const given = { id, mode: 'SAMPLE' as const, sample: 400, seed: 7, startAt: later(0) };
    const one = await run(given);
    expect(await run(given)).toEqual(one);
    expect(await run({ ...given, seed: 8 })).not.toEqual(one);
    expect(one).toMatchObject({ people: 400, ended: { completed: 400 }, seed: 7 });
    expect(one.warnings).toMatchObject([{ code: 'sampled', count: 400 }]);
    expect(one.executions).toHaveLength(20);
    const wait = figuresOf(one, 'wait');
    const met = wait?.branches.find(({ branch }) => branch === 'EVENT');
    // Nothing is known of this wait: half of them, by draw.
    expect(met?.taken).toBeGreaterThan(150);
    expect(met?.taken).toBeLessThan(250);
    expect(wait).toMatchObject({ entered: 400, left: 400, here: 0 });
  });

  it('takes the shares that are given, and counts what is skipped', async () => {
    await crowd(400);
    const { id } = await reminder();
    const waits = { [await keyOf(id, 'wait')]: 0 };
    const none = await run({ id, mode: 'SAMPLE', waits });
    expect(figuresOf(none, 'ask')).toMatchObject({
      entered: 400,
      branches: [
        { branch: 'yes', taken: 100, share: 25 },
        { branch: 'no', taken: 300, share: 75 },
      ],
    });
    // Of the 300 without a plan, 200 are not subscribed.
    expect(none.emails).toMatchObject({ written: 300, skipped: { unsubscribed: 200 } });
    expect(none.emails.perDay.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    const all = await run({ id, mode: 'SAMPLE', waits: { [await keyOf(id, 'wait')]: 100 } });
    expect(all.emails.written).toBe(0);
  });

  it('is drawn from a segment or a filter of the project', async () => {
    await crowd(40);
    const { id } = await reminder();
    const filter = {
      logic: 'AND' as const,
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals' as const, value: 'pro' }] }],
    };
    expect((await run({ id, mode: 'SAMPLE', filter })).people).toBe(10);
    const foreign = await createTestProject(test.services);
    const segment = await test.services.database.prisma.segment.create({
      data: { id: newId(), projectId: foreign.id, name: 'S', slug: 's', type: 'STATIC' },
    });
    await expect(run({ id, mode: 'SAMPLE', segmentId: segment.id })).rejects.toMatchObject({
      errors: [{ field: 'segmentId', code: 'unknown_segment' }],
    });
  });

  it('tells how many emails the limits per contact hold', async () => {
    const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
    const { id } = await buildWorkflow(test.services, project.id, {
      first: { type: 'SEND_EMAIL', templateId },
      second: { type: 'SEND_EMAIL', templateId },
      third: { type: 'SEND_EMAIL', templateId },
    });
    await crowd(20);
    await test.services.database.prisma.project.update({
      where: { id: project.id },
      data: { contactLimits: { caps: [{ max: 1, hours: 24 }], quietHours: null, waitHours: 30 } },
    });
    const startAt = new Date(Date.UTC(2027, 5, 1, 12)).toISOString();
    const { emails } = await run({ id, mode: 'SAMPLE', startAt });
    // One at once, one a day later, and one that would wait for two.
    expect(emails).toMatchObject({
      written: 60,
      capped: 20,
      skipped: { capped: 10, unsubscribed: 30 },
      perDay: [
        { day: '2027-06-01', count: 10 },
        { day: '2027-06-02', count: 10 },
      ],
    });
  });
});

describe('REPLAY', () => {
  const storeAt = async (contactId: string, name: string, at: number, data: object = {}) => {
    await test.services.database.prisma.event.create({
      data: { id: newId(), projectId: project.id, contactId, name, data, createdAt: new Date(at) },
    });
  };

  it('enters whom the trigger would have entered, each at its time, and waits for the events that came', async () => {
    const { id } = await reminder();
    const [ada = '', grace = '', mary = ''] = await crowd(4);
    const now = Date.now();
    await storeAt(ada, 'signup', now - 10 * day);
    await storeAt(ada, 'paid', now - 10 * day + hour);
    await storeAt(grace, 'signup', now - 9 * day);
    await storeAt(grace, 'paid', now - 7 * day);
    await storeAt(mary, 'signup', now - hour);
    const result = await run({ id, mode: 'REPLAY', startAt: new Date(now).toISOString() });
    expect(result.people).toBe(3);
    const ends = new Map(
      result.executions.map(({ contactId, stepExecutions }) => [
        contactId,
        stepExecutions.find(({ step }) => step?.name === 'wait')?.output?.['waitOutcome'],
      ]),
    );
    expect(ends).toEqual(
      new Map<string, unknown>([
        [ada, 'EVENT'],
        [grace, 'TIMEOUT'],
        [mary, undefined],
      ]),
    );
    expect(figuresOf(result, 'wait')).toMatchObject({ entered: 3, left: 2, here: 1 });
    // Contacts and templates are of today.
    expect(result.warnings).toMatchObject([
      { code: 'fields_of_today', count: 3 },
      { code: 'content_changed', count: 1 },
    ]);
  });

  it('enters a contact again only where that is allowed, and not while it is inside or was before', async () => {
    const [ada = '', grace = ''] = await crowd(2);
    const now = Date.now();
    for (const at of [now - 10 * day, now - 10 * day + hour, now - 5 * day]) await storeAt(ada, 'signup', at);
    await storeAt(grace, 'signup', now - 3 * day);
    const once = await reminder();
    const again = await reminder({ allowReentry: true });
    await test.services.database.prisma.workflowExecution.create({
      data: {
        ...{ id: newId(), projectId: project.id, workflowId: once.id, contactId: grace, status: 'COMPLETED' },
        ...{ createdAt: new Date(now - 40 * day), startedAt: new Date(now - 40 * day), dueAt: null },
      },
    });
    const entered = async (id: string) => figuresOf(await run({ id, mode: 'REPLAY' }), 'trigger')?.entered;
    expect(await entered(once.id)).toBe(1);
    expect(await entered(again.id)).toBe(3);
  });

  it('obeys the rules of entries: conditions on the event, filter, limit and interval', async () => {
    const [pro = '', free = ''] = await crowd(2);
    const now = Date.now();
    for (const at of [10, 9, 5, 1].map((days) => now - days * day))
      for (const contactId of [pro, free]) await storeAt(contactId, 'signup', at);
    const { prisma } = test.services.database;
    await prisma.event.updateMany({ where: { contactId: pro }, data: { data: { seats: 5 } } });
    const { id } = await reminder({ allowReentry: true });
    const entered = async () => figuresOf(await run({ id, mode: 'REPLAY' }), 'trigger')?.entered;
    const change = (entry: object, triggerConfig: object = { eventName: 'signup' }) =>
      prisma.workflow.update({ where: { id }, data: { entry, triggerConfig } });
    expect(await entered()).toBe(8);
    await change(
      {},
      { eventName: 'signup', where: [{ property: 'seats', operator: 'greaterThan', value: 4 }] },
    );
    expect(await entered()).toBe(4);
    const isFree = { field: 'data.plan', operator: 'equals', value: 'free' };
    await change({ filter: { logic: 'AND', groups: [{ filters: [isFree] }] } });
    expect(await entered()).toBe(4);
    await change({ limit: 3 });
    expect(await entered()).toBe(6);
    await change({ every: { amount: 3, unit: 'days' } });
    expect(await entered()).toBe(6);
    await change({ limit: 2, every: { amount: 3, unit: 'days' } });
    expect(await entered()).toBe(4);
  });

  it('a schedule enters who matches now at each of its times, and a workflow that is started by hand who was started', async () => {
    const contacts = await crowd(4);
    const exit = { done: { type: 'EXIT' as const } };
    const daily = await buildWorkflow(test.services, project.id, exit, {
      triggerType: 'SCHEDULE',
      triggerConfig: { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
      allowReentry: true,
    });
    const startAt = new Date(Date.UTC(2027, 2, 30)).toISOString();
    const replayed = await run({ id: daily.id, mode: 'REPLAY', days: 3, startAt });
    // Two of the four are subscribed; the clocks change on the 28th.
    expect(figuresOf(replayed, 'trigger')).toMatchObject({ entered: 6 });
    const [first] = replayed.executions;
    const times = replayed.executions
      .filter(({ contactId }) => contactId === first?.contactId)
      .map(({ startedAt }) => String(startedAt))
      .sort();
    expect(times).toEqual([
      '2027-03-27T08:00:00.000Z',
      '2027-03-28T07:00:00.000Z',
      '2027-03-29T07:00:00.000Z',
    ]);

    const manual = await buildWorkflow(test.services, project.id, exit, {
      triggerType: 'MANUAL',
      triggerConfig: {},
    });
    await test.services.database.prisma.workflowExecution.create({
      data: {
        ...{ id: newId(), projectId: project.id, workflowId: manual.id, contactId: contacts[3] ?? '' },
        ...{ status: 'FAILED', dueAt: null, context: { plan: 'team' } },
      },
    });
    const started = await run({ id: manual.id, mode: 'REPLAY' });
    expect(started.executions).toMatchObject([
      { contactId: contacts[3], context: { plan: 'team' }, status: 'EXITED' },
    ]);
  });
});

describe('definitions', () => {
  it('are the live one, the draft, a version or a document; unknown ones are told', async () => {
    const { id } = await reminder();
    const contact = { email: 'new@people.test' };
    const given = { id, mode: 'CONTACT' as const, contact };
    expect((await run(given)).definition).toBe('live');
    await expect(run({ ...given, definition: 'draft' })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    await expect(run({ ...given, definition: 9 })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    const document = {
      format: 'postrider-workflow/1',
      name: 'Tried',
      trigger: { type: 'MANUAL' },
      steps: [
        {
          key: 'split',
          type: 'SPLIT',
          config: {
            branches: [
              { id: 'a', name: 'A', percent: 50 },
              { id: 'b', name: 'B', percent: 50 },
            ],
          },
        },
        { key: 'bye', type: 'EXIT', config: { reason: 'b' } },
      ],
      transitions: [
        { from: 'trigger', to: 'split' },
        { from: 'split', to: 'bye', branch: 'b' },
      ],
    };
    const one = await run({ ...given, definition: document, seed: 1, startAt: later(0) });
    expect(one.definition).toBe('document');
    await crowd(100);
    const many = { id, mode: 'SAMPLE' as const, definition: document, seed: 1, startAt: later(0) };
    const drawn = await run(many);
    // The draw of a contact is by the ids of the steps, which a document does not have.
    expect(await run(many)).toEqual(drawn);
    expect(drawn.ended.exited).toBeGreaterThan(20);
    expect(drawn.ended.completed).toBeGreaterThan(20);
    await expect(
      run({
        ...given,
        definition: {
          ...document,
          steps: [{ key: 'mail', type: 'SEND_EMAIL', config: {}, template: 'template:nowhere' }],
          transitions: [],
        },
      }),
    ).rejects.toMatchObject({
      errors: [{ field: 'definition.steps.0.template', code: 'unknown_reference' }],
    });
    await expect(run({ ...given, definition: { ...document, colour: 'red' } })).rejects.toMatchObject({
      errors: [{ field: 'definition.colour', code: 'unsupported_field' }],
    });
  });

  it('of another project are not found', async () => {
    const { id } = await reminder();
    const foreign = await createTestProject(test.services);
    const contact = await buildContact(test.services, foreign.id);
    await expect(run({ id, mode: 'CONTACT', contactId: contact.id })).rejects.toMatchObject({
      code: 'CONTACT_NOT_FOUND',
    });
    await expect(
      simulateWorkflow.run(foreign.ctx, { id, mode: 'CONTACT', contactId: contact.id }),
    ).rejects.toMatchObject({ code: 'WORKFLOW_NOT_FOUND' });
  });

  it('fields of another mode are refused by name', async () => {
    const { id } = await reminder();
    await expect(run({ id, mode: 'REPLAY', sample: 10 })).rejects.toMatchObject({
      errors: [{ field: 'sample', code: 'custom' }],
    });
    await expect(run({ id, mode: 'CONTACT' })).rejects.toMatchObject({
      errors: [{ field: 'contactId', code: 'required' }],
    });
  });
});

describe('limits', () => {
  it('one of a workflow at a time', async () => {
    await crowd(200);
    const { id } = await reminder();
    const client = await test.services.database.durable.connect();
    // Whichever comes first waits for the contacts.
    await client.query('BEGIN; LOCK TABLE "Contact" IN ACCESS EXCLUSIVE MODE');
    const both = [run({ id, mode: 'SAMPLE' }), run({ id, mode: 'SAMPLE' })];
    const first = await Promise.race(both).catch((error: unknown) => error);
    await client.query('ROLLBACK');
    expect(first).toMatchObject({ code: 'CONFLICT' });
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    // Another process holds the same lock.
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('simulation ' || $1::text, 0))`, [id]);
    const refused = await run({ id, mode: 'SAMPLE' }).catch((error: unknown) => error);
    await client.query('ROLLBACK');
    client.release();
    expect(refused).toMatchObject({ code: 'CONFLICT' });
    expect((await run({ id, mode: 'SAMPLE' })).people).toBe(200);
  });

  it('one that takes too long is stopped, with what is known', async () => {
    await crowd(1_500);
    const loops = '{% for a in (1..900) %}{% for b in (1..900) %}{{ a | plus: b }}{% endfor %}{% endfor %}';
    const { id } = await buildWorkflow(test.services, project.id, {
      slow: { type: 'UPDATE_CONTACT', config: { data: { slow: loops }, subscriptionAction: 'none' } },
    });
    const workflow = await findWorkflow(test.services.database.prisma, project.id, id);
    if (!workflow) throw new Error('no workflow');
    const result = await simulate(
      project.ctx,
      workflow,
      await readSimulated(project.ctx, workflow, 'live'),
      { mode: 'SAMPLE', seed: 1, startAt: new Date(), sample: 1_500 },
      { limitMs: 300 },
    );
    expect(result.stopped).toBe(true);
  });
});

describe('what a simulation makes happen', () => {
  const clicks = (tree: object) => ({ logic: 'AND', groups: [{ filters: [tree] }] });

  it('ends a wait only by an event that meets its conditions, also with a value of the execution', async () => {
    const { id } = await buildWorkflow(
      test.services,
      project.id,
      {
        wait: {
          type: 'WAIT_FOR_EVENT',
          config: {
            events: [
              {
                eventName: 'paid',
                where: [{ property: 'orderId', operator: 'equals', value: '{{event.orderId}}' }],
              },
            ],
            timeout: 86_400,
          },
        },
        paid: { type: 'EXIT', config: { reason: 'paid' } },
      },
      {
        transitions: [
          { from: 'trigger', to: 'wait' },
          { from: 'wait', to: 'paid', waitOutcome: 'EVENT' },
        ],
      },
    );
    const startAt = later(0);
    const since = (ms: number) => new Date(Date.parse(startAt) + ms).toISOString();
    const simulated = (orderId: string) =>
      run({
        ...{ id, mode: 'CONTACT', startAt, contact: { email: 'new@people.test' } },
        context: { orderId: 'a' },
        events: [
          { eventName: 'paid', at: since(60_000), data: { orderId: 'b' } },
          { eventName: 'paid', at: since(120_000), data: { orderId } },
        ],
      });
    expect((await simulated('a')).executions[0]).toMatchObject({
      exitReason: 'paid',
      completedAt: since(120_000),
    });
    expect((await simulated('c')).executions[0]).toMatchObject({ status: 'COMPLETED', exitReason: null });
  });

  it('decides by the answers of steps before, and by exit rules before an effect', async () => {
    const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
    const { id } = await buildWorkflow(
      test.services,
      project.id,
      {
        crm: { type: 'WEBHOOK', config: { url: 'https://crm.test/' } },
        ask: {
          type: 'CONDITION',
          config: {
            condition: clicks({ field: 'step.crm.response.tier', operator: 'equals', value: 'gold' }),
          },
        },
        mail: { type: 'SEND_EMAIL', templateId },
        done: { type: 'EXIT', config: { reason: 'no gold' } },
      },
      {
        transitions: [
          { from: 'trigger', to: 'crm' },
          { from: 'crm', to: 'ask' },
          { from: 'ask', to: 'mail', branch: 'yes' },
          { from: 'ask', to: 'done', branch: 'no' },
        ],
      },
    );
    const simulated = (tier: string, plan: string) =>
      run({
        ...{ id, mode: 'CONTACT', contact: { email: 'new@people.test', data: { plan } } },
        webhooks: { crm: { statusCode: 200, response: { tier } } },
      });
    expect((await simulated('gold', 'free')).emails.written).toBe(1);
    expect((await simulated('tin', 'free')).executions[0]).toMatchObject({ exitReason: 'no gold' });
    await test.services.database.prisma.workflow.update({
      where: { id },
      data: {
        exits: [
          { name: 'Is pro', condition: clicks({ field: 'data.plan', operator: 'equals', value: 'pro' }) },
          { name: 'Has paid', eventName: 'paid' },
        ],
      },
    });
    const exited = await simulated('gold', 'pro');
    expect(exited.emails.written).toBe(0);
    expect(exited.executions[0]).toMatchObject({ status: 'EXITED', exitReason: 'Is pro' });
    expect(exited.warnings).toEqual([]);
  });
});

describe('goals and exit rules by events', () => {
  /** A reminder a day later, and thanks two days after that. */
  async function reminders(ends: Parameters<typeof publishBuilt>[2]) {
    const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
    const built = await buildWorkflow(
      test.services,
      project.id,
      {
        rest: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
        remind: { type: 'SEND_EMAIL', templateId },
        more: { type: 'DELAY', config: { amount: 2, unit: 'days' } },
        again: { type: 'SEND_EMAIL', templateId },
        thanks: { type: 'EXIT', config: { reason: 'thanks' } },
      },
      {
        transitions: [
          { from: 'trigger', to: 'rest' },
          { from: 'rest', to: 'remind' },
          { from: 'remind', to: 'more' },
          { from: 'more', to: 'again' },
        ],
      },
    );
    await publishBuilt(test.services, built, ends);
    return built;
  }
  const startAt = new Date(Date.UTC(2027, 2, 1, 9)).toISOString();
  const since = (ms: number) => new Date(Date.parse(startAt) + ms).toISOString();
  const contact = { email: 'new@people.test' };
  const tried = (id: string, events: Input['events']) =>
    run({ id, mode: 'CONTACT', contact, startAt, ...(events && { events }) });
  const paid = (ms: number, data: Record<string, unknown> = {}) => ({
    eventName: 'paid',
    at: since(ms),
    data,
  });
  const largeOrder = {
    ...{ name: 'Has paid', eventName: 'paid' },
    where: [{ property: 'total', operator: 'greaterThan' as const, value: 10 }],
  };

  it('end an execution in a delay at the moment of an event that meets them, and no email follows', async () => {
    const { id } = await reminders({ exits: [largeOrder] });
    const result = await tried(id, [paid(hour, { total: 5 }), paid(36 * hour, { total: 11 })]);
    expect(result.executions[0]).toMatchObject({
      ...{ status: 'EXITED', exitReason: 'Has paid', completedAt: since(36 * hour) },
    });
    expect(stepOf(result, 'more')).toMatchObject({ status: 'SKIPPED', completedAt: since(36 * hour) });
    expect(namesOf(result)).toEqual(['trigger', 'rest', 'remind', 'more']);
    expect(result.emails).toMatchObject({ written: 1, skipped: {} });
    expect(result.warnings).toEqual([]);
    const small = await tried(id, [paid(hour, { total: 5 })]);
    expect(small.executions[0]).toMatchObject({ status: 'COMPLETED', exitReason: null });
  });

  it('a goal ends it by its name, or has it go on at another step', async () => {
    const ending = await reminders({ goals: [{ name: 'Purchase', eventName: 'paid' }] });
    expect((await tried(ending.id, [paid(0)])).executions[0]).toMatchObject({
      ...{ status: 'EXITED', exitReason: 'Goal: Purchase', completedAt: startAt },
    });
    const jumping = await reminders({ goals: [{ name: 'Order', eventName: 'paid', toStep: 'thanks' }] });
    const result = await tried(jumping.id, [paid(hour), paid(2 * hour)]);
    expect(namesOf(result)).toEqual(['trigger', 'rest', 'thanks']);
    expect(stepOf(result, 'rest')?.status).toBe('SKIPPED');
    expect(result.executions[0]).toMatchObject({ exitReason: 'thanks', completedAt: since(hour) });
  });

  it('withdraws emails that wait for the end of quiet hours, and those of the same moment', async () => {
    const { id } = await reminders({ exits: [{ name: 'Has paid', eventName: 'paid' }] });
    await test.services.database.prisma.project.update({
      where: { id: project.id },
      data: { contactLimits: { caps: [], quietHours: { from: '08:00', to: '12:00' }, waitHours: 48 } },
    });
    const bought = await tried(id, [paid(25 * hour)]);
    expect(bought.emails).toMatchObject({ written: 1, skipped: { exited: 1 }, perDay: [] });
    // It had gone by then.
    const later = await tried(id, [paid(30 * hour)]);
    expect(later.emails).toMatchObject({
      written: 1,
      skipped: {},
      perDay: [{ day: '2027-03-02', count: 1 }],
    });
  });

  it('a subscription that a step ends is an event at once', async () => {
    const templateId = await buildTemplate(test.services, project.id);
    const built = await buildWorkflow(test.services, project.id, {
      leave: { type: 'UPDATE_CONTACT', config: { data: {}, subscriptionAction: 'unsubscribe' } },
      rest: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
      mail: { type: 'SEND_EMAIL', templateId },
    });
    await publishBuilt(test.services, built, {
      exits: [{ name: 'Left', eventName: 'contact.unsubscribed' }],
    });
    const result = await tried(built.id, []);
    expect(result.executions[0]).toMatchObject({ exitReason: 'Left', completedAt: startAt });
    expect(result.emails.written).toBe(0);
  });

  it('a REPLAY ends by what is stored, each at its time', async () => {
    const { id } = await reminders({ exits: [{ name: 'Has paid', eventName: 'paid' }] });
    const [ada = '', grace = '', mary = ''] = await crowd(6);
    const now = Date.now();
    const store = (contactId: string, name: string, at: number) =>
      test.services.database.prisma.event.create({
        data: { id: newId(), projectId: project.id, contactId, name, createdAt: new Date(at) },
      });
    for (const contactId of [ada, grace, mary]) await store(contactId, 'signup', now - 10 * day);
    await store(ada, 'paid', now - 11 * day);
    await store(ada, 'paid', now - 10 * day + hour);
    await store(grace, 'paid', now - 8 * day);
    const result = await run({ id, mode: 'REPLAY', startAt: new Date(now).toISOString() });
    const ends = Object.fromEntries(
      result.executions.map(({ contactId, exitReason, completedAt }) => [
        contactId,
        [exitReason, completedAt],
      ]),
    );
    expect(ends).toEqual({
      [ada]: ['Has paid', new Date(now - 10 * day + hour).toISOString()],
      [grace]: ['Has paid', new Date(now - 8 * day).toISOString()],
      [mary]: [null, new Date(now - 7 * day).toISOString()],
    });
    expect(result.warnings.map(({ code }) => code)).not.toContain('ends_by_event');
  });

  it('a SAMPLE says that events which nothing draws end nobody', async () => {
    await crowd(10);
    const { id } = await reminders({ exits: [{ name: 'Has paid', eventName: 'paid' }] });
    const result = await run({ id, mode: 'SAMPLE' });
    expect(result.ended.exited).toBe(0);
    expect(result.warnings).toContainEqual(expect.objectContaining({ code: 'ends_by_event', count: 1 }));
  });
});

describe('REPLAY by a date, and of new contacts', () => {
  const done = { done: { type: 'EXIT' as const, config: { reason: '{{event.occurrence}}' } } };

  async function contactOf(data: object, createdAt: Date, projectId = project.id): Promise<string> {
    const id = newId();
    await test.services.database.prisma.contact.create({
      data: { id, projectId, email: `${id}@people.test`, data, createdAt, updatedAt: createdAt },
    });
    return id;
  }
  const at = (text: string) => new Date(text);
  const startAt = '2026-06-30T12:00:00.000Z';

  it('enters at the occurrences of the days before, in the zone of each contact, and nobody before it was created', async () => {
    const { id } = await buildWorkflow(test.services, project.id, done, {
      triggerType: 'DATE',
      triggerConfig: { field: 'data.birthday', repeat: 'YEARLY', offsetDays: -1, at: '09:00' },
    });
    const long = at('2020-01-01T00:00:00Z');
    const ada = await contactOf({ birthday: '1990-06-11', timezone: 'America/New_York' }, long);
    const grace = await contactOf({ birthday: '1985-07-01' }, long);
    // Before the period, after it, before it was created, no date, of another project.
    await contactOf({ birthday: '1985-05-31' }, long);
    await contactOf({ birthday: '1985-07-02' }, long);
    await contactOf({ birthday: '1990-06-11' }, at('2026-06-20T00:00:00Z'));
    await contactOf({ birthday: 'soon' }, long);
    const foreign = await createTestProject(test.services);
    await contactOf({ birthday: '1990-06-11' }, long, foreign.id);
    const result = await run({ id, mode: 'REPLAY', days: 30, startAt });
    expect(result.people).toBe(2);
    const entered = Object.fromEntries(
      result.executions.map(({ contactId, startedAt, context, exitReason }) => [
        contactId,
        [startedAt, context, exitReason],
      ]),
    );
    const contextOf = (date: string, occurrence: string) => ({ field: 'data.birthday', date, occurrence });
    expect(entered).toEqual({
      [ada]: ['2026-06-10T13:00:00.000Z', contextOf('1990-06-11', '2026-06-10'), '2026-06-10'],
      [grace]: ['2026-06-30T09:00:00.000Z', contextOf('1985-07-01', '2026-06-30'), '2026-06-30'],
    });
  });

  it('enters who was created in the days before and matches the filter, and says that sources are not known', async () => {
    const filter = {
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
    };
    const { id } = await buildWorkflow(test.services, project.id, done, {
      triggerType: 'CONTACT',
      triggerConfig: {},
    });
    await test.services.database.prisma.workflow.update({ where: { id }, data: { entry: { filter } } });
    const created = at('2026-06-20T08:00:00Z');
    const ada = await contactOf({ plan: 'pro' }, created);
    await contactOf({ plan: 'free' }, created);
    await contactOf({ plan: 'pro' }, at('2026-05-01T00:00:00Z'));
    const result = await run({ id, mode: 'REPLAY', days: 30, startAt });
    expect(result.executions).toMatchObject([{ contactId: ada, startedAt: created.toISOString() }]);
    expect(result.warnings).toMatchObject([{ code: 'source_not_stored', count: 1 }]);
  });
});

it('conditions of a REPLAY are one statement for all, each by the time of its own', async () => {
  const { id } = await buildWorkflow(
    test.services,
    project.id,
    {
      ask: {
        type: 'CONDITION',
        config: {
          condition: {
            logic: 'AND',
            groups: [
              { filters: [{ field: 'data.trialEnds', operator: 'withinNext', value: 3, unit: 'days' }] },
            ],
          },
        },
      },
    },
    { transitions: [{ from: 'trigger', to: 'ask' }] },
  );
  const now = Date.UTC(2026, 5, 30, 12);
  const { prisma, durable } = test.services.database;
  const count = 60;
  const contacts = Array.from({ length: count }, (_, index) => ({
    ...{ id: newId(), projectId: project.id, email: `p${index}@people.test` },
    data: { trialEnds: '2026-06-20T12:00:00Z' },
  }));
  await prisma.contact.createMany({ data: contacts });
  // Six hours apart, each by its own clock: those of three days before the trial ends are near it.
  await prisma.event.createMany({
    data: contacts.map((contact, index) => ({
      ...{ id: newId(), projectId: project.id, contactId: contact.id, name: 'signup' },
      createdAt: new Date(now - (index + 1) * 6 * hour),
    })),
  });
  const asked: string[] = [];
  const heard = new WeakSet();
  const listen = (client: { query: (...given: never[]) => unknown }) => {
    if (heard.has(client)) return;
    heard.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = (...given: unknown[]) => {
      asked.push(JSON.stringify(given[0]));
      return query(...given);
    };
  };
  durable.on('acquire', listen as never);
  const result = await run({ id, mode: 'REPLAY', startAt: new Date(now).toISOString() }).finally(() =>
    durable.off('acquire', listen as never),
  );
  const near = contacts.filter((_, index) => {
    const at = now - (index + 1) * 6 * hour;
    const end = Date.UTC(2026, 5, 20, 12);
    return end >= at && end <= at + 3 * day;
  });
  expect(near.length).toBeGreaterThan(5);
  expect(figuresOf(result, 'ask')?.branches).toMatchObject([
    { branch: 'yes', taken: near.length },
    { branch: 'no', taken: count - near.length },
  ]);
  expect(asked.filter((text) => text.includes('each\\"'))).toHaveLength(1);
});
