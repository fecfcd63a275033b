import type { z } from 'zod';
import { conversionRateOf, countsOfCampaign, ratesOf } from '../../base/figures/index.ts';
import type { HeldCounts, Wave } from '../../mail/ledger/index.ts';
import type { campaignStats } from './campaigns.schema.ts';
import { type CountedCampaign, isFrozen } from './campaigns.store.ts';

/** Emails that wait or are being sent. After the freeze, the sum of B4.7 always holds. */
export function pendingOf(campaign: CountedCampaign): number {
  const { totalRecipients, sentCount, failedCount, skippedCount, uncertainCount } = campaign;
  if (!campaign.frozenAt) return 0;
  return Math.max(0, totalRecipients - sentCount - failedCount - skippedCount - uncertainCount);
}

/** The current statistics of a campaign (B4.7). Its counters change together with its emails, so no email is read. */
export const statsOf = (
  campaign: CountedCampaign,
  held: HeldCounts,
  waves: Wave[],
  test: z.input<typeof campaignStats>['test'],
): z.input<typeof campaignStats> => ({
  ...campaign,
  held,
  waves,
  test,
  audienceComplete: isFrozen(campaign),
  pendingCount: pendingOf(campaign),
  skippedReasons: campaign.skips,
  ...ratesOf(countsOfCampaign(campaign)),
  conversionRate: conversionRateOf(campaign.convertedCount, campaign.sentCount),
});
