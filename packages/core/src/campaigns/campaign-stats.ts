import type { z } from 'zod';
import type { Db } from '../db/index.ts';
import { countSkipReasons } from '../sending/index.ts';
import { percent } from './campaigns.rules.ts';
import type { campaignStats } from './campaigns.schema.ts';
import type { CountedCampaign } from './campaigns.store.ts';

/** What became of the emails of campaigns so far (B4.7), in the order given; one look-up for all of them. */
export async function statsOf(
  db: Db,
  campaigns: CountedCampaign[],
): Promise<z.input<typeof campaignStats>[]> {
  const skipping = campaigns.filter(({ skippedCount }) => skippedCount > 0).map(({ id }) => id);
  const reasons = await countSkipReasons(db, skipping);
  return campaigns.map((campaign) => {
    const { totalRecipients, sentCount, failedCount, skippedCount, uncertainCount } = campaign;
    const settled = sentCount + failedCount + skippedCount + uncertainCount;
    return {
      ...campaign,
      // From the freeze on the sum holds at every moment, also while a counter is a few milliseconds behind its rows.
      pendingCount: campaign.frozenAt ? Math.max(0, totalRecipients - settled) : 0,
      skippedReasons: reasons.get(campaign.id) ?? {},
      openRate: percent(campaign.openedCount, sentCount),
      clickRate: percent(campaign.clickedCount, sentCount),
      bounceRate: percent(campaign.bouncedCount, sentCount),
      deliveryRate: percent(campaign.deliveredCount, sentCount),
      complaintRate: percent(campaign.complainedCount, sentCount),
      unsubscribeRate: percent(campaign.unsubscribedCount, sentCount),
    };
  });
}
