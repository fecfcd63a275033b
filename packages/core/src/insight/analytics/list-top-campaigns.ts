import { countsOfCampaign, ratesOf } from '../../base/figures/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { topCampaigns, topCampaignsInput } from './analytics.schema.ts';
import { findTopCampaigns } from './campaigns.store.ts';
import { periodOf } from './period.rules.ts';

export const listTopCampaigns = query({
  name: 'analytics.topCampaigns',
  summary: 'Lists the campaigns with the most opens, clicks or emails among those sent in a period',
  permission: 'data:read',
  input: topCampaignsInput,
  output: topCampaigns,
  async handler(ctx, { metric = 'opens', limit, from, to }) {
    const period = periodOf({ from, to }, new Date());
    const campaigns = await findTopCampaigns(ctx.db, projectIdOf(ctx), period, { metric, limit });
    return {
      data: campaigns.map((campaign) => ({
        ...campaign,
        ...ratesOf(countsOfCampaign(campaign)),
      })),
    };
  },
});
