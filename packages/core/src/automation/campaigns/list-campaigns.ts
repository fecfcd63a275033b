import { pageOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { campaignPage, listCampaignsInput } from './campaigns.schema.ts';
import { searchCampaigns } from './campaigns.store.ts';
import { presentCampaigns } from './present-campaign.ts';

export const listCampaigns = query({
  name: 'campaigns.list',
  summary: 'Lists campaigns',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listCampaignsInput,
  output: campaignPage,
  async handler(ctx, input) {
    const { rows, total } = await searchCampaigns(ctx.db, projectIdOf(ctx), input);
    return pageOf(await presentCampaigns(ctx, rows), input.page, input.pageSize, total);
  },
});
