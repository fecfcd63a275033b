import {
  ActivityFailure,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ContactActivities } from './contacts.activities.ts';

const pokeSignal = defineSignal('poke');

const { changeBatch } = proxyActivities<ContactActivities>({
  startToCloseTimeout: '3 minutes',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '1 minute', maximumAttempts: 30 },
});
const { giveUpContactJob } = proxyActivities<ContactActivities>({ startToCloseTimeout: '1 minute' });

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
