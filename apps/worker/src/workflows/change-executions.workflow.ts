import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { WorkflowActivities } from './workflows.activities.ts';

const { changeBatch } = heartbeatingActivities<WorkflowActivities>({
  startToCloseTimeout: '5 minutes',
  retry: retries.endless,
});

/** Cancels, retries or removes many executions, a batch at a time. Its position is in the row of the job. */
export async function changeExecutions({ jobId }: { jobId: string }): Promise<void> {
  // The row determines whether there is work, so signals are only accepted.
  countSignals();
  while (await changeBatch(jobId)) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof changeExecutions>({ jobId });
  }
}
