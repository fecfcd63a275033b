import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { presentDesign } from '../../content/templates/index.ts';
import { campaignIdInput, campaignRecord } from './campaigns.schema.ts';
import { findCampaign } from './campaigns.store.ts';
import { presentCampaign } from './present-campaign.ts';

export const campaignNotFound = (): AppError => new AppError('CAMPAIGN_NOT_FOUND', 'Campaign not found');

export const getCampaign = query({
  name: 'campaigns.get',
  summary: 'Returns one campaign with its counters',
  permission: 'data:read',
  errors: ['CAMPAIGN_NOT_FOUND'],
  input: campaignIdInput,
  output: campaignRecord,
  async handler(ctx, { id }) {
    const campaign = await findCampaign(ctx.db, projectIdOf(ctx), id);
    if (!campaign) throw campaignNotFound();
    return presentCampaign(ctx, presentDesign(campaign));
  },
});
