import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { isFinalFailure, messageOf } from '../workflow-kit/failures.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ContactActivities } from './contacts.activities.ts';

const { changeBatch } = heartbeatingActivities<ContactActivities>({
  startToCloseTimeout: '3 minutes',
  retry: retries.bounded,
});
const { giveUpContactJob } = heartbeatingActivities<ContactActivities>({
  startToCloseTimeout: '1 minute',
  retry: retries.endless,
});

/** One bulk change, a batch at a time, until its list of contacts is empty. */
export async function changeContacts({ jobId }: { jobId: string }): Promise<void> {
  // The row determines whether there is work, so signals are only accepted.
  countSignals();
  try {
    while (await changeBatch(jobId)) {
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof changeContacts>({ jobId });
    }
  } catch (error) {
    if (!isFinalFailure(error)) throw error;
    await giveUpContactJob(jobId, messageOf(error));
  }
}
