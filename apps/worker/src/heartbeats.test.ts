import { once } from 'node:events';
import { computeSegmentJob } from '@postrider/core/segments';
import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heartbeats } from './heartbeats.ts';
import { executeJob } from './testing/jobs.ts';
import { createTimeSkippingEnvironment, workflowBundle } from './testing/time-skipping.ts';

let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  environment = await createTimeSkippingEnvironment();
}, 300_000);
afterAll(() => environment.teardown());

it('what a killed worker had in hand is begun again within seconds, not after the longest time that it may take', async () => {
  const input = { segmentId: 'killed' };
  let begun = 0;
  let release = (): void => undefined;
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: computeSegmentJob.taskQueue,
    workflowBundle: await workflowBundle(),
    activities: {
      // The first attempt is in a process that is no more: it neither ends nor says anything.
      computeDueSegment: () => {
        begun += 1;
        return begun > 1 ? undefined : new Promise<void>((resolve) => (release = resolve));
      },
    },
  });
  await worker.runUntil(async () => {
    await executeJob(environment, computeSegmentJob, input);
    release();
  });
  expect(begun).toBe(2);
}, 60_000);

it('an activity tells all the time that it is still at work', async () => {
  const mock = new MockActivityEnvironment({ heartbeatTimeoutMs: 60 }, { interceptors: heartbeats.activity });
  await mock.run(async () => {
    for (let beats = 0; beats < 3; beats += 1) await once(mock, 'heartbeat');
  });
});
