import { workflowInfo } from '@temporalio/workflow';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { EntryCursor, WorkflowActivities } from './workflows.activities.ts';

const { enterBatch } = heartbeatingActivities<Pick<WorkflowActivities, 'enterBatch'>>({
  startToCloseTimeout: '15 minutes',
  retry: retries.endless,
});

/** One tick of a SCHEDULE workflow: enters its contacts batch by batch. */
export async function enterSchedule({ workflowId }: { workflowId: string }): Promise<void> {
  const tick = workflowInfo().startTime.getTime();
  let after: EntryCursor | null = null;
  do {
    after = await enterBatch(workflowId, tick, after);
  } while (after !== null);
}
