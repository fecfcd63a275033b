import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { cancelAllExecutions } from '../cancel-all-executions.ts';
import { getExecution } from '../get-execution.ts';
import {
  advanceExecution,
  type BuiltWorkflow,
  buildContact,
  buildTemplate,
  buildWorkflow,
  type GivenStep,
} from '../runtime/runtime.fixture.ts';
import { startExecution } from '../start-execution.ts';
import { retryExecution } from './retry-execution.ts';

let test: TestServices;
let project: TestProject;
let server: Server;
let url: string;
let answer = 500;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    asked.push(String(request.headers['x-postrider-delivery']));
    response.writeHead(answer).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
  test = await createTestServices({ env: { WEBHOOK_ALLOWED_HOSTS: `127.0.0.1:${port}` } });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await test.close();
});
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
  answer = 500;
  asked.length = 0;
});

const prisma = () => test.services.database.prisma;

const begin = async (workflow: BuiltWorkflow, contactId?: string): Promise<string> => {
  const id = contactId ?? (await buildContact(test.services, project.id)).id;
  return (await startExecution.run(project.ctx, { id: workflow.id, contactId: id })).id;
};

/** Through its attempts, whose times pass at once. */
async function runToEnd(id: string): Promise<void> {
  let now = Date.now() + 1_000;
  for (;;) {
    const at = await advanceExecution(test.services, id, async () => now);
    if (at.kind === 'end' || at.until === null) return;
    now = at.until + 1;
  }
}

const detail = (workflow: BuiltWorkflow, executionId: string) =>
  getExecution.run(project.ctx, { id: workflow.id, executionId });
const retry = (workflow: BuiltWorkflow, executionId: string, ctx = project.ctx) =>
  retryExecution.run(ctx, { id: workflow.id, executionId });
const built = (steps: Record<string, GivenStep>, fields: Parameters<typeof buildWorkflow>[3] = {}) =>
  buildWorkflow(test.services, project.id, steps, fields);

/** An execution that has failed at its only step besides the TRIGGER, whose template is missing. */
async function failed(fields: Parameters<typeof buildWorkflow>[3] = {}) {
  const workflow = await built({ mail: { type: 'SEND_EMAIL' }, out: { type: 'EXIT' } }, fields);
  const contact = await buildContact(test.services, project.id);
  const executionId = await begin(workflow, contact.id);
  await runToEnd(executionId);
  expect((await detail(workflow, executionId)).status).toBe('FAILED');
  return { workflow, contactId: contact.id, executionId };
}

describe('a retry', () => {
  it('goes on at the step that failed: nothing before is done again, and the receiver sees the same delivery', async () => {
    const templateId = await buildTemplate(test.services, project.id);
    const workflow = await built({
      mail: { type: 'SEND_EMAIL', templateId },
      hook: { type: 'WEBHOOK', config: { url } },
      out: { type: 'EXIT', config: { reason: 'done' } },
    });
    const id = await begin(workflow);
    await runToEnd(id);
    const before = await detail(workflow, id);
    const key = (await prisma().workflowStep.findUniqueOrThrow({ where: { id: workflow.step('hook') } })).key;
    const error = 'The webhook failed after 5 attempts: the answer was 500';
    expect(before).toMatchObject({ status: 'FAILED', failedStepKey: key, retries: 0, exitReason: error });
    expect(before.stepExecutions.at(-1)?.failures).toEqual([{ at: expect.anything(), error }]);

    answer = 200;
    expect(await retry(workflow, id)).toMatchObject({
      ...{ status: 'RUNNING', retries: 1, failedStepKey: null, exitReason: null, completedAt: null },
      currentStepId: workflow.step('hook'),
    });
    await runToEnd(id);
    const after = await detail(workflow, id);
    expect(after).toMatchObject({ status: 'EXITED', exitReason: 'done', retries: 1 });
    const hook = after.stepExecutions.find(({ stepId }) => stepId === workflow.step('hook'));
    expect(hook).toMatchObject({ status: 'COMPLETED', error: null, output: { attempts: 1, success: true } });
    expect(hook?.failures.map((each) => each.error)).toEqual([error]);
    expect([asked.length, new Set(asked).size]).toEqual([6, 1]);
    expect(await prisma().email.count({ where: { workflowExecutionId: id } })).toBe(1);

    const told = await prisma().event.findMany({ where: { projectId: project.id, kind: 'ACTIVITY' } });
    const names = told.map(({ name }) => name).filter((name) => /^(workflow|execution)\./.test(name));
    expect(names.sort()).toEqual([
      'execution.failed',
      'workflow.completed',
      'workflow.completed',
      'workflow.started',
    ]);
    expect(told.find(({ name }) => name === 'execution.failed')?.data).toEqual({
      ...{ workflowId: workflow.id, workflowName: 'Test', executionId: id, stepKey: key, error, retries: 0 },
    });
    const entry = await prisma().workflowEntry.findFirstOrThrow({ where: { workflowId: workflow.id } });
    expect(entry).toMatchObject({ entries: 1, active: false });
  });

  it('keeps the newest five failures, the newest first', async () => {
    const { workflow, executionId } = await failed();
    for (let n = 0; n < 6; n += 1) {
      await retry(workflow, executionId);
      await runToEnd(executionId);
    }
    const { retries, stepExecutions } = await detail(workflow, executionId);
    const failures = stepExecutions.find(({ stepId }) => stepId === workflow.step('mail'))?.failures ?? [];
    expect([retries, failures.length]).toEqual([6, 5]);
    const times = failures.map(({ at }) => new Date(at).getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('does not make anybody wait twice: a delay that had begun ends when it would have', async () => {
    const workflow = await built({
      rest: { type: 'DELAY', config: { amount: 2, unit: 'days' } },
      out: { type: 'EXIT' },
    });
    const id = await begin(workflow);
    await advanceExecution(test.services, id);
    const step = { executionId_stepId: { executionId: id, stepId: workflow.step('rest') } };
    const parked = await prisma().workflowStepExecution.findUniqueOrThrow({ where: step });
    const ended = { status: 'FAILED', completedAt: new Date() } as const;
    await prisma().workflowStepExecution.update({ where: step, data: { ...ended, error: 'lost' } });
    await prisma().workflowExecution.update({ where: { id }, data: { ...ended, dueAt: null } });
    await retry(workflow, id);
    const at = await advanceExecution(test.services, id);
    expect(at).toEqual({ kind: 'wait', until: parked.scheduledFor?.getTime() });
    expect((await detail(workflow, id)).status).toBe('WAITING');
  });

  it('is not undone by a cancellation of all executions that came before it', async () => {
    const { workflow, executionId } = await failed();
    await cancelAllExecutions.run(project.ctx, { id: workflow.id });
    const templateId = await buildTemplate(test.services, project.id);
    await prisma().workflowStep.update({ where: { id: workflow.step('mail') }, data: { templateId } });
    await retry(workflow, executionId);
    await runToEnd(executionId);
    expect((await detail(workflow, executionId)).status).toBe('EXITED');
  });

  it('is refused where nothing failed, where the contact is in the workflow again, and where the step is gone', async () => {
    const { workflow, contactId, executionId } = await failed({ allowReentry: true });
    const again = await begin(workflow, contactId);
    await expect(retry(workflow, executionId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The contact is already in this workflow',
    });
    await runToEnd(again);
    await retry(workflow, executionId);
    await expect(retry(workflow, executionId)).rejects.toMatchObject({
      message: 'Only an execution that is FAILED can be retried; this one is RUNNING',
    });
    await runToEnd(executionId);
    await prisma().workflowStep.delete({ where: { id: workflow.step('mail') } });
    const before = await prisma().workflowExecution.findUniqueOrThrow({ where: { id: executionId } });
    await expect(retry(workflow, executionId)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The step that failed is gone from the workflow',
    });
    expect(await prisma().workflowExecution.findUniqueOrThrow({ where: { id: executionId } })).toEqual(
      before,
    );
    const entry = { workflowId_contactId: { workflowId: workflow.id, contactId } };
    expect((await prisma().workflowEntry.findUniqueOrThrow({ where: entry })).active).toBe(false);
  });

  it('does not reach the executions of another project', async () => {
    const { workflow, executionId } = await failed();
    const other = await createTestProject(test.services);
    await expect(retry(workflow, executionId, other.ctx)).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    });
    const own = await buildWorkflow(test.services, other.id, { out: { type: 'EXIT' } });
    await expect(retry(own, executionId, other.ctx)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
    await expect(retry(workflow, newId())).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  });

  it('of many at once, with starts beside them, one lets the contact in', async () => {
    const { workflow, contactId, executionId } = await failed({ allowReentry: true });
    const second = await begin(workflow, contactId);
    await runToEnd(second);
    const start = () => startExecution.run(project.ctx, { id: workflow.id, contactId });
    const tries = [executionId, second].flatMap((id) => [1, 2, 3].map(() => retry(workflow, id)));
    const all = await Promise.allSettled([...tries, start(), start(), start()]);
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of all)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'CONFLICT' });

    expect(
      await prisma().workflowExecution.count({
        where: { workflowId: workflow.id, status: { in: ['RUNNING', 'WAITING'] } },
      }),
    ).toBe(1);
  });
});
