import { projectIdOf, query } from '../../base/kernel/index.ts';
import { breakDownCampaign } from './break-down-campaign.ts';
import { campaignAudience, campaignIdInput } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

export const getCampaignAudience = query({
  name: 'campaigns.audience',
  summary: 'Counts the contacts who would receive a campaign now, and those excluded by reason',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'CAMPAIGN_NOT_FOUND'],
  input: campaignIdInput,
  output: campaignAudience,
  async handler(ctx, { id }) {
    const campaign = await findCampaign(ctx.db, projectIdOf(ctx), id);
    if (!campaign) throw campaignNotFound();
    return breakDownCampaign(ctx, campaign);
  },
});
