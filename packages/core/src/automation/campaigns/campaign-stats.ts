import type { z } from 'zod';
import type { HeldCounts } from '../../mail/ledger/index.ts';
import { bounceRateOf, percent } from './campaigns.rules.ts';
import type { campaignStats } from './campaigns.schema.ts';
import type { CountedCampaign } from './campaigns.store.ts';

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
  test: z.input<typeof campaignStats>['test'],
): z.input<typeof campaignStats> => ({
  ...campaign,
  held,
  test,
  pendingCount: pendingOf(campaign),
  skippedReasons: campaign.skips,
  openRate: percent(campaign.openedCount, campaign.sentCount),
  clickRate: percent(campaign.clickedCount, campaign.sentCount),
  bounceRate: bounceRateOf({
    sent: campaign.sentCount,
    bounced: campaign.bouncedCount,
    refused: campaign.refusedCount,
  }),
  deliveryRate: percent(campaign.deliveredCount, campaign.sentCount),
  complaintRate: percent(campaign.complainedCount, campaign.sentCount),
  unsubscribeRate: percent(campaign.unsubscribedCount, campaign.sentCount),
});
