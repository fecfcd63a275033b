import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestProject, createTestServices, type TestServices } from '../../../testing/index.ts';
import {
  addStep,
  createWorkflow,
  dispatchBatch,
  publishWorkflow,
  startExecution,
  updateStep,
  updateWorkflow,
} from '../index.ts';
import { advanceExecution, buildContact, storeEvent } from '../runtime/runtime.fixture.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('a process that has dispatched events knows at once what the executions of a published version wait for', async () => {
  const project = await createTestProject(test.services);
  const { prisma } = test.services.database;
  const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
  const wait = await addStep.run(project.ctx, {
    ...{ id, type: 'WAIT_FOR_EVENT', name: 'Wait', position: { x: 0, y: 0 } },
    config: { eventName: 'paid' },
  });
  await updateWorkflow.run(project.ctx, { id, enabled: true });
  const enter = async () => {
    const contact = await buildContact(test.services, project.id);
    const execution = await startExecution.run(project.ctx, { id, contactId: contact.id });
    await advanceExecution(test.services, execution.id);
    return { ...contact, execution: execution.id };
  };
  const record = async ({ id: contactId }: { id: string }, name: string) => {
    await storeEvent(test.services, { projectId: project.id, contactId, name });
    while ((await dispatchBatch(test.services, project.id)).taken > 0);
  };
  const isWoken = async ({ execution }: { execution: string }) =>
    (await prisma.workflowExecution.findUniqueOrThrow({ where: { id: execution } })).dueAt !== null;
  const change = (eventName: string) =>
    updateStep.run(project.ctx, { id, stepId: wait.id, config: { eventName }, publish: false });

  const first = await enter();
  await record(first, 'ordered');
  expect(await isWoken(first)).toBe(false);
  await change('ordered');
  await publishWorkflow.run(project.ctx, { id, move: 'NEW' });
  const second = await enter();
  await record(first, 'ordered');
  await record(second, 'ordered');
  expect([await isWoken(first), await isWoken(second)]).toEqual([false, true]);
  await change('shipped');
  await publishWorkflow.run(project.ctx, { id, move: 'ALL' });
  await record(first, 'shipped');
  expect(await isWoken(first)).toBe(true);
});
