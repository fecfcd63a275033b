import type { z } from 'zod';
import type { Db } from '../db/index.ts';
import { countSkipReasons } from '../sending/index.ts';
import { percent } from './campaigns.rules.ts';
import type { campaignStats } from './campaigns.schema.ts';
import type { CountedCampaign } from './campaigns.store.ts';

/** The current statistics of campaigns (B4.7), in the given order, by one query. */
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
      // After the freeze the sum always holds, even while a counter is a few milliseconds behind its rows.
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
