import { ActivityFailure, continueAsNew, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { ContactActivities } from './contacts.activities.ts';

const pokeSignal = defineSignal('poke');

const { changeBatch } = watchedActivities<ContactActivities>({
  startToCloseTimeout: '3 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 minute', maximumAttempts: 30 },
});
const { giveUpContactJob } = watchedActivities<ContactActivities>({ startToCloseTimeout: '1 minute' });

/** One bulk change, a batch at a time, until its list of contacts is empty. */
export async function changeContacts({ jobId }: { jobId: string }): Promise<void> {
  setHandler(pokeSignal, () => undefined);
  try {
    while (await changeBatch(jobId)) {
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof changeContacts>({ jobId });
    }
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    await giveUpContactJob(jobId);
  }
}
