import { workflowInfo } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { EntryCursor, WorkflowActivities } from './workflows.activities.ts';

const { enterBatch } = watchedActivities<Pick<WorkflowActivities, 'enterBatch'>>({
  startToCloseTimeout: '15 minutes',
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
