import { upsertContact } from '@postrider/core/audience/contacts';
import {
  addStep,
  createWorkflow,
  deleteStep,
  getWorkflowJob,
  moveExecutionsJob,
  publishWorkflow,
  startExecution,
  updateWorkflow,
} from '@postrider/core/automation/workflows';
import { createTestProject, createTestServices, type TestServices } from '@postrider/core/testing';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { executeJob } from '../testing/jobs.ts';
import { createTimeSkippingEnvironment, withWorker } from '../testing/time-skipping.ts';
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

it('those at a step that a version no longer has go where its publish says, and doing it again changes nothing', async () => {
  const { ctx } = await createTestProject(test.services);
  const { prisma } = test.services.database;
  const { id } = await createWorkflow.run(ctx, { name: 'Edited', eventName: 'signup' });
  const rest = await addStep.runRaw(ctx, {
    ...{ id, type: 'DELAY', name: 'Rest', position: { x: 0, y: 0 } },
    config: { amount: 3, unit: 'days' },
  });
  await updateWorkflow.run(ctx, { id, enabled: true });
  for (let person = 0; person < 3; person += 1) {
    const contact = await upsertContact.run(ctx, { email: `p${person}@people.test` });
    await startExecution.run(ctx, { id, contactId: contact.id });
  }
  await prisma.workflowExecution.updateMany({
    where: { workflowId: id },
    data: { status: 'WAITING', currentStepId: rest.id },
  });
  await deleteStep.run(ctx, { id, stepId: rest.id, publish: false });
  const { jobId } = await publishWorkflow.run(ctx, { id, move: 'ALL', removed: { rest: 'EXIT' } });
  if (jobId === null) throw new Error('nobody is moved');
  await withWorker(
    environment,
    createWorkflowActivities(test.services, { align: async () => undefined }),
    async () => {
      for (let time = 0; time < 2; time += 1) await executeJob(environment, moveExecutionsJob, { jobId });
    },
  );
  expect(await getWorkflowJob.run(ctx, { id, jobId })).toMatchObject({ state: 'completed', progress: 100 });
  const rows = await prisma.workflowExecution.findMany({ where: { workflowId: id } });
  expect(rows.map(({ status, exitReason }) => [status, exitReason])).toEqual(
    Array(3).fill(['EXITED', 'The workflow was changed']),
  );
});
