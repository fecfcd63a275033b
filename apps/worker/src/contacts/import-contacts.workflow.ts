import { countSignals } from '../workflow-kit/count-signals.ts';
import { isFinalFailure, messageOf } from '../workflow-kit/failures.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ContactActivities } from './contacts.activities.ts';

const { importRows } = heartbeatingActivities<ContactActivities>({
  startToCloseTimeout: '1 hour',
  retry: retries.bounded,
});
const { giveUpContactJob } = heartbeatingActivities<ContactActivities>({
  startToCloseTimeout: '1 minute',
  retry: retries.endless,
});

/** One import. Its progress is in its row; an interruption repeats at most the current batch. */
export async function importContacts({ jobId }: { jobId: string }): Promise<void> {
  // The row determines whether there is work, so signals are only accepted.
  countSignals();
  try {
    await importRows(jobId);
  } catch (error) {
    if (!isFinalFailure(error)) throw error;
    await giveUpContactJob(jobId, messageOf(error));
  }
}
