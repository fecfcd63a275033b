import { continueAsNew, patched, workflowInfo } from '@temporalio/workflow';
import type { ContactActivities } from '../contacts/contacts.activities.ts';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { WorkflowActivities } from './workflows.activities.ts';

const options = { startToCloseTimeout: '5 minutes', retry: retries.endless } as const;
const { changeExecutionsBatch } = heartbeatingActivities<WorkflowActivities>(options);
/** The name that it shared with that of contacts, which finds nothing to do: `reconcile` starts what is open again. */
const { changeBatch } = heartbeatingActivities<ContactActivities>(options);

/** Cancels, retries or removes many executions, a batch at a time. Its position is in the row of the job. */
export async function changeExecutions({ jobId }: { jobId: string }): Promise<void> {
  // The row determines whether there is work, so signals are only accepted.
  countSignals();
  const change = patched('executions-have-a-batch-of-their-own') ? changeExecutionsBatch : changeBatch;
  while (await change(jobId)) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof changeExecutions>({ jobId });
  }
}
