import { condition, continueAsNew, defineSignal, setHandler, workflowInfo } from '@temporalio/workflow';
import { watchedActivities } from '../watched-activities.ts';
import type { CampaignActivities } from './campaigns.activities.ts';

const pokeSignal = defineSignal('poke');

const retry = {
  initialInterval: '500 milliseconds',
  maximumInterval: '30 seconds',
  backoffCoefficient: 2,
} as const;
const { readCampaignStep, startCampaign, closeLedger, skipBatch, detachBatch } =
  watchedActivities<CampaignActivities>({
    startToCloseTimeout: '3 minutes',
    retry,
  });
const { freezeAudience } = watchedActivities<CampaignActivities>({
  startToCloseTimeout: '40 minutes',
  retry,
});

/** Looks that follow when no poke says that something happened; pokes come with every settled lane. */
const looks = ['2 seconds', '5 seconds', '15 seconds', '30 seconds', '60 seconds'] as const;

/** A timer of Temporal's holds at most some decades; a schedule further away is looked at again once a month. */
const longestSleepMs = 30 * 86_400_000;

/** One campaign from its schedule to its closing. The row says what is to be done; this only waits and repeats. */
export async function deliverCampaign({ campaignId }: { campaignId: string }): Promise<void> {
  let pokes = 0;
  setHandler(pokeSignal, () => {
    pokes += 1;
  });
  let look = 0;
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = pokes;
    const step = await readCampaignStep(campaignId);
    switch (step.kind) {
      case 'end':
        if (pokes > seen) continue;
        return;
      case 'sleep':
        await condition(() => pokes > seen, Math.max(1, Math.min(longestSleepMs, step.until - Date.now())));
        continue;
      case 'start':
        await startCampaign(campaignId);
        continue;
      case 'freeze':
        await freezeAudience(campaignId);
        continue;
      case 'skip':
        if ((await skipBatch(campaignId)) === 0) await condition(() => pokes > seen, '1 second');
        continue;
      case 'detach':
        await detachBatch(campaignId);
        continue;
      case 'watch': {
        if (await closeLedger(campaignId)) continue;
        const poked = await condition(() => pokes > seen, looks[look] ?? '60 seconds');
        look = poked ? 0 : Math.min(look + 1, looks.length - 1);
      }
    }
  }
  await continueAsNew<typeof deliverCampaign>({ campaignId });
}
