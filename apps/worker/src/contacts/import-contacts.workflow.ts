import { ActivityFailure, defineSignal, setHandler } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { ContactActivities } from './contacts.activities.ts';

const pokeSignal = defineSignal('poke');

const { importRows } = watchedActivities<ContactActivities>({
  startToCloseTimeout: '1 hour',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 minute', maximumAttempts: 30 },
});
const { giveUpContactJob } = watchedActivities<ContactActivities>({ startToCloseTimeout: '1 minute' });

/** One import. Where it stands is in its row; a stop costs at most the batch that was under way. */
export async function importContacts({ jobId }: { jobId: string }): Promise<void> {
  // The row decides whether there is anything to do; a poke needs no answer.
  setHandler(pokeSignal, () => undefined);
  try {
    await importRows(jobId);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await giveUpContactJob(jobId);
  }
}
