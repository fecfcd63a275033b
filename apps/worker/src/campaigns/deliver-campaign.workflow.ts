import { condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { CampaignActivities } from './campaigns.activities.ts';

const { readCampaignStep, startCampaign, closeLedger, skipBatch, detachBatch } =
  heartbeatingActivities<CampaignActivities>({ startToCloseTimeout: '3 minutes', retry: retries.endless });
const { freezeAudience } = heartbeatingActivities<CampaignActivities>({
  startToCloseTimeout: '40 minutes',
  retry: retries.endless,
});

/** Pauses between polls when no signal arrives; one arrives with every settled lane. */
const polls = ['2 seconds', '5 seconds', '15 seconds', '30 seconds', '60 seconds'] as const;

/** A Temporal timer holds at most some decades; a schedule further away is read again once a month. */
const longestSleepMs = 30 * 86_400_000;

/** One campaign from its schedule to its closing. The row says what is to be done; this only waits and repeats. */
export async function deliverCampaign({ campaignId }: { campaignId: string }): Promise<void> {
  const signals = countSignals();
  let poll = 0;
  while (!workflowInfo().continueAsNewSuggested) {
    const seen = signals.count;
    const step = await readCampaignStep(campaignId);
    switch (step.kind) {
      case 'end':
        if (signals.count > seen) continue;
        return;
      case 'sleep':
        await condition(
          () => signals.count > seen,
          Math.max(1, Math.min(longestSleepMs, step.until - Date.now())),
        );
        continue;
      case 'start':
        await startCampaign(campaignId);
        continue;
      case 'freeze':
        await freezeAudience(campaignId);
        continue;
      case 'skip':
        if ((await skipBatch(campaignId)) === 0) await condition(() => signals.count > seen, '1 second');
        continue;
      case 'detach':
        await detachBatch(campaignId);
        continue;
      case 'watch': {
        if (await closeLedger(campaignId)) continue;
        const signalled = await condition(() => signals.count > seen, polls[poll] ?? '60 seconds');
        poll = signalled ? 0 : Math.min(poll + 1, polls.length - 1);
      }
    }
  }
  await continueAsNew<typeof deliverCampaign>({ campaignId });
}
