import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { EntryCursor, WorkflowActivities } from './workflows.activities.ts';

const { enterBatch } = proxyActivities<Pick<WorkflowActivities, 'enterBatch'>>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '30 seconds', backoffCoefficient: 2 },
});

/** One tick of a SCHEDULE workflow: enters its contacts batch by batch. */
export async function enterSchedule({ workflowId }: { workflowId: string }): Promise<void> {
  const tick = workflowInfo().startTime.getTime();
  let after: EntryCursor | null = null;
  do {
    after = await enterBatch(workflowId, tick, after);
  } while (after !== null);
}
