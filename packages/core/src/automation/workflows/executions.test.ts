import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trackEvent } from '../../audience/events/index.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import {
  cancelAllExecutions,
  cancelExecution,
  createWorkflow,
  getExecution,
  listContactExecutions,
  listExecutions,
  startExecution,
  updateWorkflow,
} from './index.ts';

let test: TestServices;
let project: TestProject;
let id: string;
let triggerId: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  const workflow = await createWorkflow.run(project.ctx, { name: 'Welcome', eventName: 'signup' });
  id = workflow.id;
  triggerId = workflow.steps[0]?.id ?? '';
  await updateWorkflow.run(project.ctx, { id, enabled: true });
});

const addContact = async (): Promise<string> =>
  (await trackEvent.run(project.publicCtx, { email: `${newId()}@people.test`, event: 'seen' })).contact;
const start = (contactId: string, rest: object = {}) =>
  startExecution.run(project.ctx, { id, contactId, ...rest });
const list = (query: object = {}) => listExecutions.run(project.ctx, { id, ...query });
const cancel = (executionId: string) => cancelExecution.run(project.ctx, { id, executionId });

describe('a manual start', () => {
  it('creates an execution at the TRIGGER with the given context', async () => {
    const contactId = await addContact();
    const execution = await start(contactId, { context: { order: { total: 5 } } });
    expect(execution).toMatchObject({
      workflowId: id,
      contactId,
      status: 'RUNNING',
      currentStepId: triggerId,
      exitReason: null,
      context: { order: { total: 5 } },
      sourceEventId: null,
      completedAt: null,
    });
    expect((await start(await addContact())).context).toEqual({});
  });

  it('is refused for a disabled workflow, an unknown contact, a bad context', async () => {
    const contactId = await addContact();
    await expect(start(newId())).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
    const foreign = await createTestProject(test.services);
    const theirs = await trackEvent.run(foreign.publicCtx, { email: 'a@people.test', event: 'x' });
    await expect(start(theirs.contact)).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
    await expect(start(contactId, { context: [] })).rejects.toMatchObject({ errors: [{ field: 'context' }] });
    await expect(start(contactId, { context: { a: 'x'.repeat(65_536) } })).rejects.toMatchObject({
      errors: [{ field: 'context', code: 'too_big' }],
    });
    await expect(start('x')).rejects.toMatchObject({
      errors: [{ field: 'contactId', code: 'invalid_string' }],
    });
    await updateWorkflow.run(project.ctx, { id, enabled: false });
    await expect(start(contactId)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await list()).total).toBe(0);
  });

  it('is allowed once per contact, whatever the status of the first execution', async () => {
    const contactId = await addContact();
    const { id: executionId } = await start(contactId);
    await expect(start(contactId)).rejects.toMatchObject({ code: 'CONFLICT' });
    await cancel(executionId);
    await expect(start(contactId)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is allowed again after the end if re-entry is allowed', async () => {
    await updateWorkflow.run(project.ctx, { id, allowReentry: true });
    const contactId = await addContact();
    const first = await start(contactId);
    await expect(start(contactId)).rejects.toMatchObject({ code: 'CONFLICT' });
    await cancel(first.id);
    const second = await start(contactId);
    await cancel(second.id);
    await updateWorkflow.run(project.ctx, { id, allowReentry: false });
    await expect(start(contactId)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it.each([false, true])('50 concurrent ones create one execution (re-entry %s)', async (allowReentry) => {
    await updateWorkflow.run(project.ctx, { id, allowReentry });
    const contactId = await addContact();
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => start(contactId)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await list()).total).toBe(1);
  });
});

describe('the list', () => {
  it('pages the newest first with contact and step, by status', async () => {
    const made = [
      await start(await addContact()),
      await start(await addContact()),
      await start(await addContact()),
    ];
    await cancel(made[0]?.id ?? '');
    const first = await list({ pageSize: 2 });
    expect(first).toMatchObject({ total: 3, page: 1, pageSize: 2, totalPages: 2 });
    expect(first.executions.map((each) => each.id)).toEqual([made[2]?.id, made[1]?.id]);
    expect(first.executions[0]).toMatchObject({
      contact: { id: made[2]?.contactId, email: expect.stringContaining('@people.test') },
      currentStep: { id: triggerId, name: 'Trigger: signup', type: 'TRIGGER' },
    });
    expect((await list({ status: 'CANCELLED' })).executions.map((each) => each.id)).toEqual([made[0]?.id]);
    await expect(list({ status: 'GONE' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(listExecutions.run(project.ctx, { id: newId() })).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    });
  });
});

describe('the executions of one contact', () => {
  it('are those in all workflows, newest first, with their current step', async () => {
    const contactId = await addContact();
    await start(await addContact());
    const first = await start(contactId);
    const other = await createWorkflow.run(project.ctx, { name: 'Other', eventName: 'left' });
    await updateWorkflow.run(project.ctx, { id: other.id, enabled: true });
    await startExecution.run(project.ctx, { id: other.id, contactId });
    await cancel(first.id);
    const ofContact = (by = project) => listContactExecutions.run(by.ctx, { contactId });
    expect(await ofContact()).toMatchObject([
      {
        status: 'RUNNING',
        workflow: { id: other.id, name: 'Other' },
        currentStep: { id: other.steps[0]?.id, type: 'TRIGGER' },
      },
      { id: first.id, status: 'CANCELLED', workflow: { id, name: 'Welcome' } },
    ]);
    expect(await ofContact(await createTestProject(test.services))).toEqual([]);
  });
});

describe('cancelling', () => {
  it('ends an execution and skips its open steps', async () => {
    const execution = await start(await addContact());
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds));
    const row = (startedAt: Date, status: 'COMPLETED' | 'WAITING') => ({
      id: newId(),
      projectId: project.id,
      executionId: execution.id,
      stepId: newId(),
      status,
      startedAt,
      completedAt: status === 'COMPLETED' ? startedAt : null,
    });
    const [later, earlier] = [row(at(2), 'WAITING'), { ...row(at(1), 'COMPLETED'), stepId: triggerId }];
    await test.services.database.prisma.workflowStepExecution.createMany({ data: [later, earlier] });
    expect(await cancel(execution.id)).toMatchObject({
      status: 'CANCELLED',
      exitReason: 'Cancelled by user',
      completedAt: expect.any(String),
    });
    const detail = await getExecution.run(project.ctx, { id, executionId: execution.id });
    expect(detail).toMatchObject({ workflow: { id, name: 'Welcome' }, contact: { id: execution.contactId } });
    expect(detail.stepExecutions).toMatchObject([
      { id: earlier.id, status: 'COMPLETED', step: { id: triggerId, type: 'TRIGGER' } },
      { id: later.id, status: 'SKIPPED', completedAt: expect.any(String) },
    ]);
    await expect(cancel(execution.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(cancel(newId())).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('all ends every active execution and counts them', async () => {
    const over = await start(await addContact());
    await cancel(over.id);
    for (let count = 0; count < 3; count += 1) await start(await addContact());
    const cancelAll = () => cancelAllExecutions.run(project.ctx, { id });
    expect(await cancelAll()).toEqual({ cancelled: 3 });
    expect(await cancelAll()).toEqual({ cancelled: 0 });
    expect((await list({ status: 'CANCELLED' })).total).toBe(4);
  });

  it('is limited to the project', async () => {
    const execution = await start(await addContact());
    const { ctx } = await createTestProject(test.services);
    const notFound = { code: 'WORKFLOW_NOT_FOUND' };
    await expect(cancelExecution.run(ctx, { id, executionId: execution.id })).rejects.toMatchObject(notFound);
    await expect(cancelAllExecutions.run(ctx, { id })).rejects.toMatchObject(notFound);
    await expect(getExecution.run(ctx, { id, executionId: execution.id })).rejects.toMatchObject(notFound);
  });
});
