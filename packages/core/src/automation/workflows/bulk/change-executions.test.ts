import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSegmentMembers, createSegment } from '../../../audience/segments/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { deleteWorkflow } from '../delete-workflow.ts';
import { listContactExecutions } from '../list-contact-executions.ts';
import { listExecutions } from '../list-executions.ts';
import {
  advanceExecution,
  type BuiltWorkflow,
  buildContact,
  buildTemplate,
  buildWorkflow,
} from '../runtime/runtime.fixture.ts';
import { takeSet } from '../runtime/take-set.ts';
import { startExecution } from '../start-execution.ts';
import { getWorkflowJob } from '../versions/index.ts';
import { cancelExecutions } from './cancel-executions.ts';
import { changeExecutionsBatch } from './change-executions.ts';
import { removedBehind } from './removed-behind.fixture.ts';
import { retryExecutions } from './retry-executions.ts';

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

async function done(workflow: Pick<BuiltWorkflow, 'id'>, { jobId }: { jobId: string }) {
  while (await changeExecutionsBatch(test.services, jobId));
  const job = await getWorkflowJob.run(project.ctx, { id: workflow.id, jobId });
  expect(job).toMatchObject({ state: 'completed', progress: 100 });
  return job.result;
}

const statuses = async (workflow: Pick<BuiltWorkflow, 'id'>): Promise<Record<string, number>> => {
  const rows = await prisma().workflowExecution.groupBy({
    by: ['status'],
    where: { workflowId: workflow.id },
    _count: true,
  });
  return Object.fromEntries(rows.map(({ status, _count }) => [status, _count]));
};

/** People who wait at the first or the second of two delays, with `data.n` from 0. */
async function waiting(count: number) {
  const workflow = await buildWorkflow(test.services, project.id, {
    first: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
    second: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
    out: { type: 'EXIT' },
  });
  const people: { id: string; email: string; executionId: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const contact = await buildContact(test.services, project.id, { data: { n } });
    const { id } = await startExecution.run(project.ctx, { id: workflow.id, contactId: contact.id });
    people.push({ ...contact, executionId: id });
  }
  await takeSet(test.services, { projectId: project.id, workflowId: workflow.id }, { limit: 500 });
  await prisma().workflowStep.update({ where: { id: workflow.step('first') }, data: { key: 'first' } });
  await prisma().workflowStep.update({ where: { id: workflow.step('second') }, data: { key: 'second' } });
  return { workflow, people };
}

const cancel = (workflow: BuiltWorkflow, input: object, ctx = project.ctx) =>
  cancelExecutions.runRaw(ctx, { id: workflow.id, ...input });

describe('cancelling some executions', () => {
  it('takes those whose contacts match a filter, or are in a segment', async () => {
    const { workflow, people } = await waiting(6);
    const filter = (n: number) => ({
      logic: 'AND',
      groups: [{ filters: [{ field: 'data.n', operator: 'lessThan', value: n }] }],
    });
    expect(await done(workflow, await cancel(workflow, { filter: filter(2) }))).toEqual({
      matched: 2,
      changed: 2,
      cancelled: 2,
    });
    const cancelled = await listExecutions.run(project.ctx, { id: workflow.id, status: 'CANCELLED' });
    expect(cancelled.executions.map(({ contactId }) => contactId).sort()).toEqual(
      people
        .slice(0, 2)
        .map(({ id }) => id)
        .sort(),
    );
    expect(cancelled.executions[0]).toMatchObject({ exitReason: 'Cancelled by user', failedStepKey: null });
    expect(await prisma().jobFile.count({ where: { projectId: project.id } })).toBe(0);
    const segment = await createSegment.run(project.ctx, { name: 'Some', type: 'STATIC' });
    const emails = people.slice(1, 4).map(({ email }) => email);
    await addSegmentMembers.run(project.ctx, { id: segment.id, emails });
    expect(await done(workflow, await cancel(workflow, { segmentId: segment.id }))).toEqual({
      matched: 2,
      changed: 2,
      cancelled: 2,
    });
    expect(await statuses(workflow)).toEqual({ CANCELLED: 4, WAITING: 2 });
  });

  it('takes those at a step, of a version, or of contacts, and leaves others alone', async () => {
    const { workflow, people } = await waiting(5);
    const ids = people.map(({ executionId }) => executionId);
    await prisma().workflowExecution.updateMany({
      where: { id: { in: ids.slice(0, 2) } },
      data: { currentStepId: workflow.step('second') },
    });
    expect(await done(workflow, await cancel(workflow, { stepKey: 'second' }))).toEqual({
      matched: 2,
      changed: 2,
      cancelled: 2,
    });
    const contacts = [people[2]?.email, people[0]?.id, 'nobody@people.test', newId()];
    expect(await done(workflow, await cancel(workflow, { contacts }))).toEqual({
      matched: 1,
      changed: 1,
      cancelled: 1,
    });
    await prisma().workflowVersion.create({
      data: {
        ...{ projectId: project.id, workflowId: workflow.id, version: 7, authorType: 'system' },
        ...{ definition: { steps: [], transitions: [] }, steps: {}, reads: [], templateIds: [] },
      },
    });
    await prisma().workflowExecution.updateMany({
      where: { id: { in: ids.slice(2, 4) } },
      data: { version: 7 },
    });
    expect(await done(workflow, await cancel(workflow, { version: 7 }))).toEqual({
      matched: 1,
      changed: 1,
      cancelled: 1,
    });
    expect(await statuses(workflow)).toEqual({ CANCELLED: 4, WAITING: 1 });
  });

  it('says what is missing, what is too much, and what is unknown', async () => {
    const { workflow } = await waiting(1);
    const refused = async (input: object) =>
      (await cancel(workflow, input).catch((error: unknown) => error)) as { fieldErrors?: unknown };
    const other = await createTestProject(test.services);
    const theirs = await createSegment.run(other.ctx, { name: 'Theirs', type: 'STATIC' });
    const problems: [object, string, string][] = [
      [{}, 'filter', 'required'],
      [{ stepKey: 'first', version: 1 }, 'version', 'custom'],
      [{ stepKey: 'nowhere' }, 'stepKey', 'unknown_reference'],
      [{ version: 99 }, 'version', 'unknown_reference'],
      [{ contacts: Array.from({ length: 1_001 }, newId) }, 'contacts', 'too_big'],
      [{ contacts: [] }, 'contacts', 'too_small'],
    ];
    for (const [input, field, code] of problems)
      expect(await refused(input)).toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [{ field, code }],
      });
    await expect(cancel(workflow, { segmentId: theirs.id })).rejects.toMatchObject({
      code: 'SEGMENT_NOT_FOUND',
    });
    await expect(cancel(workflow, { stepKey: 'first' }, other.ctx)).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    });
    expect(await prisma().job.count({ where: { projectId: { in: [project.id, other.id] } } })).toBe(0);
  });

  it('withdraws the emails that nobody has claimed, if asked to', async () => {
    await verifiedDomain(test.services, project.id, 'mail.test');
    const templateId = await buildTemplate(test.services, project.id);
    const workflow = await buildWorkflow(test.services, project.id, {
      mail: { type: 'SEND_EMAIL', templateId },
      rest: { type: 'DELAY', config: { amount: 1, unit: 'days' } },
    });
    const contacts: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const { id } = await buildContact(test.services, project.id);
      contacts.push(id);
      await startExecution.run(project.ctx, { id: workflow.id, contactId: id });
    }
    await takeSet(test.services, { projectId: project.id, workflowId: workflow.id }, { limit: 500 });
    const [one = '', two = '', claimed = ''] = contacts;
    const emailOf = (contactId: string) => prisma().email.findFirstOrThrow({ where: { contactId } });
    // A delivery process has this one.
    const own = newId();
    const mail = await emailOf(claimed);
    const before = await prisma().deliveryBatch.findUniqueOrThrow({ where: { id: mail.batchId ?? '' } });
    await prisma().deliveryBatch.create({
      data: {
        ...{ id: own, projectId: project.id, priority: before.priority, domainId: before.domainId },
        ...{ emailIds: [mail.id], token: newId(), worker: 'w', leaseUntil: new Date(Date.now() + 60_000) },
      },
    });
    const rest = before.emailIds.filter((id) => id !== mail.id);
    await prisma().deliveryBatch.update({ where: { id: before.id }, data: { emailIds: rest } });
    await prisma().email.update({ where: { id: mail.id }, data: { batchId: own } });

    await done(workflow, await cancel(workflow, { contacts: [one] }));
    await done(workflow, await cancel(workflow, { contacts: [two, claimed], withdrawEmails: true }));
    expect(await emailOf(one)).toMatchObject({ status: 'PENDING', reason: null });
    expect(await emailOf(two)).toMatchObject({ status: 'SKIPPED', reason: 'cancelled', batchId: null });
    expect(await emailOf(claimed)).toMatchObject({ status: 'PENDING', batchId: own });
    const batch = await prisma().deliveryBatch.findUniqueOrThrow({ where: { id: before.id } });
    expect(batch.emailIds).not.toContain((await emailOf(two)).id);
    expect(batch.emailIds).toHaveLength(4);
    expect(await statuses(workflow)).toEqual({ CANCELLED: 3, WAITING: 3 });
  });

  it('of thousands misses none, in several transactions, and a repeated one changes nothing', async () => {
    const { durable } = test.services.database;
    const workflow = await buildWorkflow(test.services, project.id, { out: { type: 'EXIT' } });
    await prisma().workflowStep.update({ where: { id: workflow.step('trigger') }, data: { key: 'trigger' } });
    await durable.query(
      `WITH person AS (
        INSERT INTO "Contact" ("id", "projectId", "email") SELECT uuid7(), $1::uuid, n || '@many.test' FROM generate_series(1, 4300) n RETURNING "id")
      INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "currentStepId", "status", "dueAt")
      SELECT uuid7(), $1::uuid, $2::uuid, "id", $3::uuid, CASE WHEN get_byte(uuid_send("id"), 15) < 128 THEN 'WAITING' ELSE 'COMPLETED' END::"ExecutionStatus", NULL FROM person`,
      [project.id, workflow.id, workflow.step('trigger')],
    );
    const { WAITING: active = 0 } = await statuses(workflow);
    const job = await cancel(workflow, { stepKey: 'trigger' });
    const result = await done(workflow, job);
    expect(result).toEqual({ matched: active, changed: active, cancelled: active });
    expect((await statuses(workflow)).WAITING).toBeUndefined();
    expect(await changeExecutionsBatch(test.services, job.jobId)).toBe(false);
    expect(await prisma().event.count({ where: { projectId: project.id, name: 'workflow.completed' } })).toBe(
      active,
    );
  });
});

it('cancelling beside sets that run ends each execution once, by one of both', async () => {
  const steps = Object.fromEntries(
    Array.from({ length: 5 }, (_, n) => [
      `note${n}`,
      { type: 'UPDATE_CONTACT', config: { data: { n } } } as const,
    ]),
  );
  const workflow = await buildWorkflow(test.services, project.id, { ...steps, out: { type: 'EXIT' } });
  await prisma().workflowStep.update({ where: { id: workflow.step('trigger') }, data: { key: 'trigger' } });
  for (let n = 0; n < 60; n += 1) {
    const { id } = await buildContact(test.services, project.id);
    await startExecution.run(project.ctx, { id: workflow.id, contactId: id });
  }
  const unit = { projectId: project.id, workflowId: workflow.id };
  const take = async () => {
    while ((await takeSet(test.services, unit, { limit: 5 })).taken > 0);
  };
  const stop = async () => done(workflow, await cancel(workflow, { stepKey: 'trigger' }));
  const [, , result] = await Promise.all([take(), take(), stop()]);
  const { EXITED: ended = 0, CANCELLED: cancelled = 0, ...others } = await statuses(workflow);
  expect([ended + cancelled, others]).toEqual([60, {}]);
  expect(result?.cancelled).toBe(cancelled);
  const told = { projectId: project.id, name: 'workflow.completed' };
  expect(await prisma().event.count({ where: told })).toBe(60);
  const unfinished = { projectId: project.id, status: { notIn: ['COMPLETED' as const, 'SKIPPED' as const] } };
  expect(await prisma().workflowStepExecution.count({ where: unfinished })).toBe(0);
});

/** Executions that have failed at a step without a template. */
async function failing(count: number) {
  const workflow = await buildWorkflow(
    test.services,
    project.id,
    { mail: { type: 'SEND_EMAIL' }, out: { type: 'EXIT' } },
    { allowReentry: true },
  );
  await prisma().workflowStep.update({ where: { id: workflow.step('mail') }, data: { key: 'mail' } });
  const contacts: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id } = await buildContact(test.services, project.id);
    contacts.push(id);
    await startExecution.run(project.ctx, { id: workflow.id, contactId: id });
  }
  await takeAll(workflow);
  expect(await statuses(workflow)).toEqual({ FAILED: count });
  return { workflow, contacts };
}

const takeAll = async (workflow: BuiltWorkflow) => {
  const unit = { projectId: project.id, workflowId: workflow.id };
  while ((await takeSet(test.services, unit, { limit: 500 })).taken > 0);
};

const retry = (workflow: BuiltWorkflow, input: object = {}) =>
  retryExecutions.runRaw(project.ctx, { id: workflow.id, ...input });

describe('retrying what failed', () => {
  it('lets all go on, once, and what fails again stays for the next time', async () => {
    const { workflow } = await failing(30);
    expect(await done(workflow, await retry(workflow))).toEqual({
      ...{ matched: 30, changed: 30, retried: 30, blocked: { active: 0, gone: 0 } },
    });
    await takeAll(workflow);
    expect(await statuses(workflow)).toEqual({ FAILED: 30 });
    await verifiedDomain(test.services, project.id, 'mail.test');
    const templateId = await buildTemplate(test.services, project.id);
    await prisma().workflowStep.update({ where: { id: workflow.step('mail') }, data: { templateId } });
    await done(workflow, await retry(workflow, { stepKey: 'mail' }));
    await takeAll(workflow);
    expect(await statuses(workflow)).toEqual({ EXITED: 30 });
    expect(await prisma().email.count({ where: { projectId: project.id } })).toBe(30);
    expect(
      await prisma().workflowExecution.findMany({ where: { workflowId: workflow.id, retries: 2 } }),
    ).toHaveLength(30);
  });

  it('is limited to a step and a time, and says who stays failed and why', async () => {
    const { workflow, contacts } = await failing(4);
    const [again = '', twice = ''] = contacts;
    await startExecution.run(project.ctx, { id: workflow.id, contactId: again });
    await startExecution.run(project.ctx, { id: workflow.id, contactId: twice });
    const failed = await prisma().workflowExecution.findMany({
      where: { workflowId: workflow.id, status: 'FAILED' },
      orderBy: { id: 'asc' },
    });
    // One is at a step that is gone, and one failed yesterday; of the second contact both have failed.
    const newest = await prisma().workflowExecution.findFirstOrThrow({
      where: { contactId: twice, status: 'RUNNING' },
    });
    await advanceExecution(test.services, newest.id);
    await prisma().workflowExecution.update({
      where: { id: failed[2]?.id ?? '' },
      data: { currentStepId: newId() },
    });
    const yesterday = new Date(Date.now() - 86_400_000);
    await prisma().workflowExecution.update({
      where: { id: failed[3]?.id ?? '' },
      data: { completedAt: yesterday },
    });
    await expect(retry(workflow, { stepKey: 'nowhere' })).rejects.toMatchObject({
      errors: [{ field: 'stepKey', code: 'unknown_reference' }],
    });
    await expect(
      retry(workflow, { failedAfter: '2026-01-02T00:00:00Z', failedBefore: '2026-01-01T00:00:00Z' }),
    ).rejects.toMatchObject({ errors: [{ field: 'failedBefore', code: 'invalid_range' }] });
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    expect(await done(workflow, await retry(workflow, { failedAfter: hourAgo }))).toEqual({
      ...{ matched: 4, changed: 1, retried: 1, blocked: { active: 2, gone: 1 } },
    });
    const retried = await prisma().workflowExecution.findMany({
      where: { workflowId: workflow.id, retries: 1 },
    });
    expect(retried.map(({ id }) => id)).toEqual([newest.id]);
    expect(await done(workflow, await retry(workflow, { failedBefore: hourAgo }))).toMatchObject({
      ...{ matched: 1, changed: 1, retried: 1 },
    });
  });
});

describe('the list of executions', () => {
  it('is limited to a step, a version, a contact and a time', async () => {
    const { workflow, people } = await waiting(3);
    const [first] = people;
    await prisma().workflowExecution.update({
      where: { id: first?.executionId ?? '' },
      data: {
        version: 2,
        currentStepId: workflow.step('second'),
        createdAt: new Date('2026-03-05T10:00:00Z'),
      },
    });
    const found = async (query: object) => {
      const { executions, total } = await listExecutions.runRaw(project.ctx, { id: workflow.id, ...query });
      expect(executions).toHaveLength(total);
      return total;
    };
    const asked: [object, number][] = [
      [{ stepKey: 'first' }, 2],
      [{ stepKey: 'second' }, 1],
      [{ stepKey: 'nowhere' }, 0],
      [{ version: '2' }, 1],
      [{ version: 3 }, 0],
      [{ contact: first?.email }, 1],
      [{ contact: 'nobody@people.test' }, 0],
      [{ from: '2026-03-05', to: '2026-03-05' }, 1],
      [{ to: '2026-03-04' }, 0],
      [{ from: '2026-03-06' }, 2],
      [{ stepKey: 'first', status: 'FAILED' }, 0],
    ];
    for (const [query, count] of asked) expect([query, await found(query)]).toEqual([query, count]);
    await expect(found({ version: 'x' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

it('a deleted workflow is gone at once, and its executions and entries follow', async () => {
  const { workflow, contacts } = await failing(3);
  await deleteWorkflow.run(project.ctx, { id: workflow.id });
  const contactId = contacts[0] ?? '';
  expect(await listContactExecutions.run(project.ctx, { contactId })).toEqual([]);
  expect(await prisma().workflowExecution.count({ where: { workflowId: workflow.id } })).toBe(3);
  const job = await prisma().job.findFirstOrThrow({
    where: { projectId: project.id, kind: 'remove-executions' },
  });
  await removedBehind(test.services, project.id);
  for (const left of [
    prisma().workflowExecution.count({ where: { projectId: project.id } }),
    prisma().workflowStepExecution.count({ where: { projectId: project.id } }),
    prisma().workflowEntry.count({ where: { projectId: project.id } }),
  ])
    expect(await left).toBe(0);
  expect(await prisma().job.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({
    state: 'completed',
  });
});
