import { projectIdOf, query } from '../kernel/index.ts';
import { countSkipReasons } from '../sending/index.ts';
import { percent } from './campaigns.rules.ts';
import { campaignIdInput, campaignStats } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

export const getCampaignStats = query({
  name: 'campaigns.stats',
  summary: 'Returns what became of a campaign’s emails so far',
  permission: 'data:read',
  input: campaignIdInput,
  output: campaignStats,
  async handler(ctx, { id }) {
    const campaign = await findCampaign(ctx.db, projectIdOf(ctx), id);
    if (!campaign) throw campaignNotFound();
    const { totalRecipients, sentCount, failedCount, skippedCount, uncertainCount } = campaign;
    const settled = sentCount + failedCount + skippedCount + uncertainCount;
    return {
      ...campaign,
      // From the freeze on the sum holds at every moment, also while a counter is a few milliseconds behind its rows.
      pendingCount: campaign.frozenAt ? Math.max(0, totalRecipients - settled) : 0,
      skippedReasons: skippedCount > 0 ? await countSkipReasons(ctx.db, id) : {},
      openRate: percent(campaign.openedCount, sentCount),
      clickRate: percent(campaign.clickedCount, sentCount),
      bounceRate: percent(campaign.bouncedCount, sentCount),
      deliveryRate: percent(campaign.deliveredCount, sentCount),
      complaintRate: percent(campaign.complainedCount, sentCount),
      unsubscribeRate: percent(campaign.unsubscribedCount, sentCount),
    };
  },
});
