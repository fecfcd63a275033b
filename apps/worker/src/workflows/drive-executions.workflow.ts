import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ExecutionActivities } from './executions.activities.ts';

const { driveShard } = heartbeatingActivities<Pick<ExecutionActivities, 'driveShard'>>({
  startToCloseTimeout: '10 minutes',
  // Each heartbeat is written down by the server, and the longer wait delays nothing: what is late is served by any process.
  heartbeatTimeout: '30 seconds',
  retry: retries.prompt,
});

/** One run keeps this many events, of years of driving. */
const eventsPerRun = 2_000;

/** Keeps one living process at driving a shard; it moves when the process dies, and spreads when one is added. */
export async function driveExecutions({ shard }: { shard: number }): Promise<void> {
  while (workflowInfo().historyLength < eventsPerRun) await driveShard(shard);
  await continueAsNew<typeof driveExecutions>({ shard });
}
