import { upsertContact } from '@postrider/core/audience/contacts';
import {
  cancelExecutions,
  changeExecutionsJob,
  createWorkflow,
  getWorkflowJob,
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

it('a job about executions goes on after its worker is lost, and doing it again changes nothing', async () => {
  const { ctx } = await createTestProject(test.services);
  const { id } = await createWorkflow.run(ctx, { name: 'Left', eventName: 'signup' });
  await updateWorkflow.run(ctx, { id, enabled: true });
  for (let person = 0; person < 3; person += 1) {
    const contact = await upsertContact.run(ctx, { email: `p${person}@people.test` });
    await startExecution.run(ctx, { id, contactId: contact.id });
  }
  const { jobId } = await cancelExecutions.run(ctx, { id, version: 1 });
  const activities = createWorkflowActivities(test.services, { align: async () => undefined });
  let lost = 0;
  await withWorker(
    environment,
    {
      ...activities,
      /** The result of the first call is lost with its worker, and it is called again. */
      async changeExecutionsBatch(job: string) {
        const more = await activities.changeExecutionsBatch(job);
        lost += 1;
        if (lost === 1) throw new Error('the worker was killed');
        return more;
      },
    },
    async () => {
      for (let time = 0; time < 2; time += 1) await executeJob(environment, changeExecutionsJob, { jobId });
    },
  );
  expect(await getWorkflowJob.run(ctx, { id, jobId })).toMatchObject({
    state: 'completed',
    result: { matched: 3, cancelled: 3 },
  });
  const rows = await test.services.database.prisma.workflowExecution.findMany({ where: { workflowId: id } });
  expect(rows.map(({ status }) => status)).toEqual(Array(3).fill('CANCELLED'));
});
