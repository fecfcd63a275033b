import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { upsertContact } from '../../../audience/contacts/index.ts';
import { trackEvent } from '../../../audience/events/index.ts';
import { createSegment } from '../../../audience/segments/index.ts';
import { plainTransaction } from '../../../base/db/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import {
  createWorkflow,
  enterWorkflow,
  getWorkflow,
  getWorkflowJob,
  startExecution,
  updateWorkflow,
} from '../index.ts';
import { enterByEvents, interestedWorkflows } from '../runtime/dispatch.store.ts';
import { dispatchBatch } from '../runtime/dispatch-events.ts';
import { enterScheduleBatch } from '../runtime/enter-schedule.ts';
import { enterJobBatch } from './enter-job.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const hour = 3_600_000;

type Update = Parameters<typeof updateWorkflow.run>[1];

/** An enabled workflow of the event `signup`, without steps. */
async function workflow(given: Omit<Update, 'id'> = {}): Promise<string> {
  const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
  await updateWorkflow.run(project.ctx, { id, ...given, enabled: true });
  return id;
}
const contact = async (data: Record<string, unknown> = {}): Promise<string> =>
  (await upsertContact.run(project.ctx, { email: `${newId()}@people.test`, data: data as never })).id;
const track = async (contactId: string, data: Record<string, unknown> = {}): Promise<void> => {
  const { email } = await prisma().contact.findUniqueOrThrow({ where: { id: contactId } });
  await trackEvent.run(project.publicCtx, { email, event: 'signup', data: data as never });
};
const dispatch = () => dispatchBatch(test.services, project.id);
const entriesOf = (workflowId: string): Promise<number> =>
  prisma().workflowExecution.count({ where: { workflowId } });
/** Ends its executions, as their steps would. */
const end = (workflowId: string) =>
  prisma().workflowExecution.updateMany({
    where: { workflowId, status: { in: ['RUNNING', 'WAITING'] } },
    data: { status: 'COMPLETED', dueAt: null },
  });
async function blockedOf(workflowId: string): Promise<Record<string, number>> {
  const rows = await prisma().stepFigureEntry.findMany({ where: { workflowId, blocked: { gt: 0 } } });
  const sums: Record<string, number> = {};
  for (const { outcome, blocked } of rows) sums[outcome] = (sums[outcome] ?? 0) + blocked;
  return sums;
}
const refusal = (error: { code: string; message: string; details?: unknown }) => [
  error.code,
  error.message,
  error.details,
];
const tree = (field: string, value: unknown) => ({
  logic: 'AND' as const,
  groups: [{ filters: [{ field, operator: 'equals' as const, value }] }],
});

describe('entry rules', () => {
  it('only contacts enter that match the filter at that moment, and others are counted', async () => {
    const id = await workflow({ entry: { filter: tree('data.plan', 'pro') } });
    const [pro, free] = [await contact({ plan: 'pro' }), await contact({ plan: 'free' })];
    await track(pro);
    await track(free);
    await dispatch();
    expect(await entriesOf(id)).toBe(1);
    expect(await blockedOf(id)).toEqual({ filter: 1 });
    await upsertContact.run(project.ctx, {
      email: (await prisma().contact.findUniqueOrThrow({ where: { id: free } })).email,
      data: { plan: 'pro' },
    });
    await track(free);
    await dispatch();
    expect(await entriesOf(id)).toBe(2);
  });

  it('a filter may ask for segments and events', async () => {
    const { id: segmentId } = await createSegment.run(project.ctx, {
      name: 'Pro',
      type: 'DYNAMIC',
      condition: tree('data.plan', 'pro') as never,
    });
    const member = { field: `segment.${segmentId}`, operator: 'memberOfSegment' as const };
    const twice = { field: 'event.signup', operator: 'occurred' as const, times: { min: 2 } };
    const filter = { logic: 'AND' as const, groups: [{ filters: [member, twice] }] };
    const id = await workflow({ entry: { filter: filter as never } });
    const [pro, free] = [await contact({ plan: 'pro' }), await contact()];
    for (const each of [pro, free, free, pro]) await track(each);
    await dispatch();
    expect(await prisma().workflowExecution.findMany({ where: { workflowId: id } })).toMatchObject([
      { contactId: pro },
    ]);
  });

  it('a start by hand that a rule forbids names the rule', async () => {
    const id = await workflow({
      allowReentry: true,
      entry: { filter: tree('data.plan', 'pro'), limit: 1, every: { amount: 2, unit: 'hours' } },
    });
    const start = (contactId: string) => startExecution.run(project.ctx, { id, contactId });
    await expect(start(await contact())).rejects.toMatchObject({ details: { rule: 'filter' } });
    const pro = await contact({ plan: 'pro' });
    await start(pro);
    await expect(start(pro)).rejects.toMatchObject({ code: 'CONFLICT', details: { rule: 'active' } });
    await end(id);
    const limited = await start(pro).catch(refusal);
    expect(limited).toEqual([
      'CONFLICT',
      'The contact has entered this workflow 1 time, and may not enter it more often',
      { rule: 'limit' },
    ]);
    await updateWorkflow.run(project.ctx, { id, entry: { every: { amount: 2, unit: 'hours' } } });
    await expect(start(pro)).rejects.toMatchObject({
      message: 'The contact has entered this workflow within the last 2 hours',
      details: { rule: 'every' },
    });
    await updateWorkflow.run(project.ctx, { id, entry: {}, allowReentry: false });
    await expect(start(pro)).rejects.toMatchObject({ details: { rule: 'again' } });
    // What is not counted: a person was told.
    expect(await blockedOf(id)).toEqual({});
  });

  it.each([
    ['a millisecond too early', -1, 0],
    ['at that time', 0, 1],
    ['a millisecond later', 1, 1],
  ])('`every` admits who entered long enough ago: %s', async (_case, laterMs, started) => {
    const id = await workflow({ allowReentry: true, entry: { every: { amount: 2, unit: 'hours' } } });
    const contactId = await contact();
    await startExecution.run(project.ctx, { id, contactId });
    await end(id);
    await track(contactId);
    const { eventId } = await prisma().eventDispatch.findFirstOrThrow({ where: { projectId: project.id } });
    const entered = await plainTransaction(test.services.database.durable, async (db) => {
      await db.$executeRaw`
        UPDATE "WorkflowEntry" SET "lastAt" = now()::timestamptz(3) - ${2 * hour + laterMs}::float8 * interval '1 millisecond'
        WHERE "workflowId" = ${id}::uuid`;
      const [row] = await interestedWorkflows(db, project.id, ['signup']);
      return row ? enterByEvents(db, project.id, row, [eventId]) : 0;
    });
    expect(entered).toBe(started);
  });

  it('`limit` counts all entries, also those whose executions are gone', async () => {
    const id = await workflow({ allowReentry: true, entry: { limit: 3 } });
    const contactId = await contact();
    for (let n = 0; n < 5; n += 1) {
      await track(contactId);
      await dispatch();
      await end(id);
      await prisma().workflowExecution.deleteMany({ where: { workflowId: id } });
    }
    expect(await prisma().workflowEntry.findFirst({ where: { workflowId: id } })).toMatchObject({
      entries: 3,
      active: false,
    });
    expect(await blockedOf(id)).toEqual({ limit: 2 });
  });

  it('blocked entries are told by their first rule', async () => {
    const id = await workflow();
    const contactId = await contact();
    await track(contactId);
    await dispatch();
    await track(contactId);
    await dispatch();
    await end(id);
    await track(contactId);
    await dispatch();
    expect(await blockedOf(id)).toEqual({ active: 1, again: 1 });
  });

  it('`limit` and `every` need re-entry', async () => {
    const id = await workflow();
    await expect(
      updateWorkflow.run(project.ctx, { id, entry: { limit: 2, every: { amount: 1, unit: 'days' } } }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [
        { field: 'entry.limit', code: 'custom' },
        { field: 'entry.every', code: 'custom' },
      ],
    });
    await updateWorkflow.run(project.ctx, { id, allowReentry: true, entry: { limit: 2 } });
    await expect(updateWorkflow.run(project.ctx, { id, allowReentry: false })).rejects.toMatchObject({
      errors: [{ field: 'entry.limit' }],
    });
    expect(await getWorkflow.run(project.ctx, { id })).toMatchObject({
      entry: { filter: null, limit: 2, every: null },
      version: 2,
    });
  });

  it('12 parallel entries of each kind for one contact are one entry', async () => {
    const id = await workflow({ allowReentry: true });
    const contactId = await contact();
    const twelve = <T>(make: () => Promise<T>) => Array.from({ length: 12 }, make);
    await Promise.all(twelve(() => track(contactId)));
    const jobs = twelve(() => enterWorkflow.run(project.ctx, { id, contacts: [contactId] }));
    await Promise.all(jobs);
    const outcomes = await Promise.allSettled([
      ...twelve(() => dispatch()),
      ...twelve(() => startExecution.run(project.ctx, { id, contactId })),
      ...twelve(() => enterJobBatch(test.services, { projectId: project.id, workflowId: id })),
    ]);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(11);
    expect(await entriesOf(id)).toBe(1);
    expect(await prisma().workflowEntry.findFirst({ where: { workflowId: id } })).toMatchObject({
      entries: 1,
    });
  });
});

describe('the `where` of an event', () => {
  it('decides which events start executions, and others are no entries', async () => {
    const id = await workflow({
      triggerConfig: {
        eventName: 'signup',
        where: [
          { property: 'plan', operator: 'isAnyOf', value: ['pro', 'team'] },
          { property: 'order.total', operator: 'greaterThan', value: 100 },
        ],
      } as never,
    });
    const [first, second, third] = [await contact(), await contact(), await contact()];
    await track(first, { plan: 'pro', 'order.total': 101 });
    await track(second, { plan: 'pro', 'order.total': 100 });
    await track(third, { plan: 'free', 'order.total': 500 });
    await dispatch();
    expect(await prisma().workflowExecution.findMany({ where: { workflowId: id } })).toMatchObject([
      { contactId: first, context: { plan: 'pro', 'order.total': 101 } },
    ]);
    expect(await blockedOf(id)).toEqual({});
    // The first event of a contact that meets them is its source.
    await track(second, { plan: 'free' });
    await track(second, { plan: 'team', 'order.total': 200 });
    await dispatch();
    expect(await prisma().workflowExecution.findFirst({ where: { contactId: second } })).toMatchObject({
      context: { plan: 'team' },
    });
  });

  it.each([
    ['no array', 'x', 'triggerConfig.where', 'invalid_type'],
    ['no condition', [], 'triggerConfig.where', 'too_small'],
    ['too many', Array(11).fill({ property: 'a', operator: 'exists' }), 'triggerConfig.where', 'too_big'],
    ['no property', [{ operator: 'exists' }], 'triggerConfig.where.0.property', 'required'],
    [
      'an unknown operator',
      [{ property: 'a', operator: 'like', value: 1 }],
      'triggerConfig.where.0.operator',
      'invalid_enum_value',
    ],
    ['no value', [{ property: 'a', operator: 'equals' }], 'triggerConfig.where.0.value', 'required'],
  ])('is refused: %s', async (_case, where, field, code) => {
    const id = await workflow();
    await expect(
      updateWorkflow.run(project.ctx, { id, triggerConfig: { eventName: 'signup', where } as never }),
    ).rejects.toMatchObject({ errors: [{ field, code }] });
  });
});

it('a schedule may take the contacts that match a filter, and its ticks obey the entry rules', async () => {
  const id = await workflow({
    triggerType: 'SCHEDULE',
    triggerConfig: { cron: '0 9 * * 1', filter: tree('data.plan', 'pro') } as never,
    allowReentry: true,
    entry: { filter: tree('data.country', 'DE'), every: { amount: 7, unit: 'days' } },
  });
  await contact({ plan: 'pro', country: 'DE' });
  await contact({ plan: 'pro', country: 'FR' });
  await contact({ plan: 'free', country: 'DE' });
  const week = 7 * 24 * hour;
  const tick = Math.floor(Date.now() / 1_000) * 1_000;
  const enter = (at: number) => enterScheduleBatch(test.services, id, at, null);
  expect(await enter(tick - week)).toMatchObject({ started: 1 });
  await end(id);
  expect(await enter(tick - 1)).toMatchObject({ started: 0 });
  // A week later to the millisecond, however late the batch of the week before was.
  expect(await enter(tick)).toMatchObject({ started: 1 });
  expect(await blockedOf(id)).toEqual({ filter: 3, every: 1 });
  await expect(
    updateWorkflow.run(project.ctx, {
      id,
      triggerConfig: { cron: '0 9 * * 1', segmentId: newId(), filter: tree('data.plan', 'pro') } as never,
    }),
  ).rejects.toMatchObject({ errors: [{ field: 'triggerConfig.filter', code: 'custom' }] });
});

describe('entering many', () => {
  const run = async (id: string): Promise<void> => {
    while ((await enterJobBatch(test.services, { projectId: project.id, workflowId: id })) > 0);
  };
  const resultOf = async (id: string, jobId: string) => {
    const job = await getWorkflowJob.run(project.ctx, { id, jobId });
    return { state: job.state, ...job.result };
  };

  it('named contacts enter, each by the rules, and those that do not exist are counted', async () => {
    const id = await workflow({ entry: { filter: tree('data.plan', 'pro') } });
    const [pro, inside, free] = [
      await contact({ plan: 'pro' }),
      await contact({ plan: 'pro' }),
      await contact(),
    ];
    await startExecution.run(project.ctx, { id, contactId: inside });
    const { email } = await prisma().contact.findUniqueOrThrow({ where: { id: pro } });
    const { jobId } = await enterWorkflow.run(project.ctx, {
      id,
      contacts: [pro, email, inside, free, newId(), 'nobody@people.test', 'ext:none'],
      context: { from: 'list' },
    });
    await run(id);
    expect(await resultOf(id, jobId)).toEqual({
      state: 'completed',
      matched: 3,
      changed: 1,
      entered: 1,
      notFound: 3,
      blocked: { filter: 1, active: 1, again: 0, limit: 0, every: 0 },
    });
    expect(await prisma().workflowExecution.findFirst({ where: { contactId: pro } })).toMatchObject({
      context: { from: 'list' },
    });
    expect(await prisma().jobFile.count({ where: { jobId } })).toBe(0);
    expect(await prisma().jobContact.count({ where: { jobId } })).toBe(0);
  });

  it('everybody who matches enters once, whatever is repeated', async () => {
    const id = await workflow();
    await prisma().contact.createMany({
      data: Array.from({ length: 5_200 }, (_, n) => ({
        id: newId(),
        projectId: project.id,
        email: `c${n}@people.test`,
        data: { odd: n % 2 === 1 },
      })),
    });
    const { jobId } = await enterWorkflow.run(project.ctx, { id, filter: tree('data.odd', true) as never });
    // Several processes at once, each of which gets its part or none.
    const parts = await Promise.all(
      Array.from({ length: 4 }, () =>
        enterJobBatch(test.services, { projectId: project.id, workflowId: id }),
      ),
    );
    expect(Math.max(...parts)).toBe(5_000);
    await run(id);
    expect(await resultOf(id, jobId)).toMatchObject({ state: 'completed', matched: 2_600, entered: 2_600 });
    expect(await entriesOf(id)).toBe(2_600);
  });

  it('a job ends when its workflow is disabled', async () => {
    const id = await workflow();
    const { jobId } = await enterWorkflow.run(project.ctx, { id, contacts: [await contact()] });
    await updateWorkflow.run(project.ctx, { id, enabled: false });
    await run(id);
    expect(await getWorkflowJob.run(project.ctx, { id, jobId })).toMatchObject({
      state: 'failed',
      failedReason: 'The workflow was disabled before all had entered',
      result: null,
    });
    await expect(enterWorkflow.run(project.ctx, { id, contacts: [await contact()] })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('one of filter, segmentId and contacts is given; what is unknown is refused', async () => {
    const id = await workflow();
    const enter = (given: object) => enterWorkflow.run(project.ctx, { id, ...given });
    await expect(enter({})).rejects.toMatchObject({ errors: [{ field: 'filter', code: 'required' }] });
    await expect(enter({ segmentId: newId(), contacts: [newId()] })).rejects.toMatchObject({
      errors: [{ field: 'contacts', code: 'custom' }],
    });
    await expect(enter({ segmentId: newId() })).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
    await expect(enter({ contacts: [] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(enter({ contacts: Array(1_001).fill(newId()) })).rejects.toMatchObject({
      errors: [{ field: 'contacts', code: 'too_big' }],
    });
    const other = await createTestProject(test.services);
    await expect(enterWorkflow.run(other.ctx, { id, contacts: [newId()] })).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    });
  });
});
