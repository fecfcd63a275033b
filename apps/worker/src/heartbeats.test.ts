import { once } from 'node:events';
import { computeSegmentJob } from '@postrider/core/audience/segments';
import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { heartbeats } from './heartbeats.ts';
import { executeJob } from './testing/jobs.ts';
import { createTimeSkippingEnvironment } from './testing/time-skipping.ts';
import { workflowBundle } from './workflow-bundle.ts';

let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  environment = await createTimeSkippingEnvironment();
}, 300_000);
afterAll(() => environment.teardown());

it('the activity of a killed worker is retried within seconds, not after its startToCloseTimeout', async () => {
  const input = { segmentId: 'killed' };
  let begun = 0;
  let release = (): void => undefined;
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue: computeSegmentJob.taskQueue,
    workflowBundle: await workflowBundle(console),
    activities: {
      // The first attempt never ends and never heartbeats, like one in a killed process.
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

it('an activity heartbeats for as long as it runs', async () => {
  const mock = new MockActivityEnvironment({ heartbeatTimeoutMs: 60 }, { interceptors: heartbeats.activity });
  await mock.run(async () => {
    for (let beats = 0; beats < 3; beats += 1) await once(mock, 'heartbeat');
  });
});
