import { projectIdOf, query } from '../kernel/index.ts';
import { breakDownAudience } from '../sending/index.ts';
import { audienceOf } from './campaign-audience.ts';
import { campaignAudience, campaignIdInput } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { campaignNotFound } from './get-campaign.ts';

export const getCampaignAudience = query({
  name: 'campaigns.audience',
  summary: 'Counts who would get a campaign now, and why others would not',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'CAMPAIGN_NOT_FOUND'],
  input: campaignIdInput,
  output: campaignAudience,
  async handler(ctx, { id }) {
    const campaign = await findCampaign(ctx.db, projectIdOf(ctx), id);
    if (!campaign) throw campaignNotFound();
    const { matched, willSend, ...skipped } = await breakDownAudience(
      ctx.db,
      await audienceOf(ctx.db, campaign),
    );
    return { matched, willSend, skipped };
  },
});
