import {
  addStep,
  createWorkflow,
  startExecution,
  updateWorkflow,
} from '@postrider/core/automation/workflows';
import { taskQueues } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
import { createExecutionActivities, createFormerActivities } from './executions.activities.ts';
import { createWorkflowActivities } from './workflows.activities.ts';

let test: TestServices;
let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  [test, environment] = await Promise.all([createTestServices(), createTimeSkippingEnvironment()]);
}, 300_000);
afterAll(async () => {
  await environment.teardown();
  await test.close();
});

/** Runs a workflow of the version before to its end, beside a worker of this one. */
const execute = (workflow: 'runExecution' | 'dispatchEvents', id: string, input: object): Promise<void> =>
  withWorker(
    environment,
    createWorkflowActivities(test.services, { align: async () => undefined }),
    async () => {
      const taskQueue = workflow === 'runExecution' ? taskQueues.executions : taskQueues.control;
      await environment.client.workflow.execute(workflow, { taskQueue, workflowId: id, args: [input] });
    },
    {
      executions: createExecutionActivities(test.services, { drive: () => () => undefined }),
      webhooks: createFormerActivities(test.services),
    },
  );

it('a workflow of an execution of the version before ends, and sets take the execution when it is due', async () => {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  const { id } = await createWorkflow.run(project.ctx, { name: 'Long', eventName: 'signup' });
  const config = { amount: 30, unit: 'days' };
  await addStep.run(project.ctx, { id, type: 'DELAY', name: 'wait', position: { x: 0, y: 0 }, config });
  await updateWorkflow.run(project.ctx, { id, enabled: true });
  const contactId = newId();
  await prisma.contact.create({ data: { id: contactId, projectId: project.id, email: 'long@people.test' } });
  const { id: executionId } = await startExecution.run(project.ctx, { id, contactId });
  const resumeAt = new Date(Date.now() + 86_400_000);
  // As the version before leaves an execution that it has parked.
  const data = { status: 'WAITING' as const, resumeAt, dueAt: null, wakeSeq: 1, seenSeq: 1 };
  await prisma.workflowExecution.update({ where: { id: executionId }, data });
  await execute('runExecution', `execution/${executionId}`, { executionId });
  const row = await prisma.workflowExecution.findUniqueOrThrow({ where: { id: executionId } });
  expect(row).toMatchObject({ status: 'WAITING', dueAt: resumeAt });
});

it('a dispatcher of the version before ends, and leaves the events to the runners', async () => {
  const { prisma } = test.services.database;
  const project = await createTestProject(test.services);
  await prisma.eventDispatch.create({ data: { eventId: newId(), projectId: project.id } });
  await execute('dispatchEvents', `events/${project.id}`, { projectId: project.id });
  expect(await prisma.eventDispatch.count({ where: { projectId: project.id } })).toBe(1);
});
