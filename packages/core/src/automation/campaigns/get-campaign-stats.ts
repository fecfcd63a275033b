import { projectIdOf, query } from '../../base/kernel/index.ts';
import { countHeld, noneHeld, wavesOf } from '../../mail/ledger/index.ts';
import { statsOf } from './campaign-stats.ts';
import { campaignIdInput, campaignStats } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';
import { readCounted } from './variants/read-results.ts';
import { testStatsOf } from './variants/test-stats.ts';

export const getCampaignStats = query({
  name: 'campaigns.stats',
  summary: 'Returns the delivery and engagement figures of a campaign',
  permission: 'data:read',
  errors: ['CAMPAIGN_NOT_FOUND'],
  input: campaignIdInput,
  output: campaignStats,
  async handler(ctx, { id }) {
    const campaign = await findCampaign(ctx.db, projectIdOf(ctx), id);
    if (!campaign) throw campaignNotFound();
    const held = await countHeld(ctx.db, projectIdOf(ctx), [id]);
    const waves = await wavesOf(ctx.db, projectIdOf(ctx), [campaign]);
    const counted = await readCounted(ctx.db, projectIdOf(ctx), campaign.test ? [campaign] : []);
    return statsOf(
      campaign,
      held.get(id) ?? noneHeld,
      waves.get(id) ?? [],
      testStatsOf(campaign, counted(id)),
    );
  },
});
