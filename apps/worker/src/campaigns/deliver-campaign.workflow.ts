import { condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { isFinalFailure } from '../workflow-kit/failures.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { CampaignActivities } from './campaigns.activities.ts';

const { startCampaign, skipBatch, detachBatch, lookAtTest } = heartbeatingActivities<CampaignActivities>({
  startToCloseTimeout: '3 minutes',
  retry: retries.untilFinal,
});
/** Activities that may go through all emails of a campaign: reading its step and closing do so only if its counters do not add up. */
const { readCampaignStep, closeLedger, freezeAudience, requeueRest } =
  heartbeatingActivities<CampaignActivities>({
    startToCloseTimeout: '45 minutes',
    retry: retries.untilFinal,
  });
const { giveUpCampaign } = heartbeatingActivities<CampaignActivities>({
  startToCloseTimeout: '1 minute',
  retry: retries.endless,
});

/** Pauses between polls without a signal; a delivery process that has settled emails of the campaign sends one. */
const polls = ['2 seconds', '5 seconds', '15 seconds', '30 seconds', '60 seconds'] as const;

/** Temporal limits the length of a timer, so a schedule further away is read again once a month. */
const longestSleepMs = 30 * 86_400_000;

/**
 * How long to sleep, by the clock that decides whether the campaign is due. If Temporal's clock were used and is ahead, the workflow would
 * read the row over and over until both agree. Histories of earlier versions have no duration.
 */
const msOf = ({ until, forMs }: { until: number; forMs?: number }): number => forMs ?? until - Date.now();

/** One campaign from its schedule to its end. The row determines what is due; the workflow only waits and repeats. */
export async function deliverCampaign({ campaignId }: { campaignId: string }): Promise<void> {
  const signals = countSignals();
  let poll = 0;

  /** Does what the row requires. @returns whether the campaign has ended */
  async function takeStep(seen: number): Promise<boolean> {
    const signalled = () => signals.count > seen;
    const step = await readCampaignStep(campaignId);
    switch (step.kind) {
      case 'end':
        return !signalled();
      case 'sleep':
        await condition(signalled, Math.max(1, Math.min(longestSleepMs, msOf(step))));
        return false;
      case 'start':
        await startCampaign(campaignId);
        return false;
      case 'freeze':
        await freezeAudience(campaignId);
        return false;
      case 'requeue':
        await requeueRest(campaignId);
        return false;
      // Read from the row, so that no history of an earlier version has this step.
      case 'test':
        await lookAtTest(campaignId);
        return false;
      case 'skip':
        if ((await skipBatch(campaignId)) === 0) await condition(signalled, '1 second');
        return false;
      case 'detach':
        await detachBatch(campaignId);
        return false;
      case 'watch': {
        if (await closeLedger(campaignId)) return false;
        const wasSignalled = await condition(signalled, polls[poll] ?? '60 seconds');
        poll = wasSignalled ? 0 : Math.min(poll + 1, polls.length - 1);
        return false;
      }
    }
  }

  while (!workflowInfo().continueAsNewSuggested) {
    const seen = signals.count;
    try {
      if (await takeStep(seen)) return;
    } catch (error) {
      if (!isFinalFailure(error)) throw error;
      if (!(await giveUpCampaign(campaignId))) await condition(() => signals.count > seen, '60 seconds');
    }
  }
  await continueAsNew<typeof deliverCampaign>({ campaignId });
}
