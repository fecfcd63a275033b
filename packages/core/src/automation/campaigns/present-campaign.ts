import type { Context, WaitsFor } from '../../base/kernel/index.ts';
import { type CampaignRow, type CountedCampaign, isFrozen } from './campaigns.store.ts';

/** A campaign, or several of one project, with what is known only by the process that is asked. */
export const presentCampaign = async <Campaign extends CountedCampaign>(
  ctx: Context,
  campaign: Campaign,
): Promise<Campaign & { waitsFor: WaitsFor | null }> => ({
  ...campaign,
  waitsFor: await waitsForOf(ctx, campaign),
});

export const presentCampaigns = <Campaign extends CountedCampaign>(
  ctx: Context,
  campaigns: readonly Campaign[],
): Promise<(Campaign & { waitsFor: WaitsFor | null })[]> =>
  Promise.all(campaigns.map((campaign) => presentCampaign(ctx, campaign)));

type Work = Pick<
  CampaignRow,
  | 'status'
  | 'pausedAt'
  | 'scheduledFor'
  | 'frozenAt'
  | 'frozenToId'
  | 'retryBefore'
  | 'testState'
  | 'testEndsAt'
  | 'wakeSeq'
  | 'seenSeq'
>;

/** What a campaign waits for (behaviour B2.3). */
export const waitsForOf = ({ services }: Context, campaign: Work): Promise<WaitsFor | null> =>
  services.engine.holdUpOf(isOutstanding(campaign, new Date()));

/**
 * Whether something of a campaign is left to its workflow: to know its schedule, to start it when the time has come, to freeze its
 * audience, to queue the rest of a retry, or to decide its test. Everything else that is asked for is done by rows, and its email leaves
 * without an engine. One that has ended may still have to be cleared up, but nobody waits for that.
 */
function isOutstanding(campaign: Work, now: Date): boolean {
  const { status, pausedAt, scheduledFor, retryBefore, testState, testEndsAt, wakeSeq, seenSeq } = campaign;
  if (status === 'SCHEDULED') return wakeSeq > seenSeq || (scheduledFor !== null && scheduledFor <= now);
  if (status !== 'SENDING' || pausedAt !== null) return false;
  const isTestOver = testState === 'RUNNING' && testEndsAt !== null && testEndsAt <= now;
  return !isFrozen(campaign) || retryBefore !== null || isTestOver;
}
