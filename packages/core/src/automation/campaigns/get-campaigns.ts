import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { campaignRecord } from './campaigns.schema.ts';
import { findCampaigns } from './campaigns.store.ts';
import { presentCampaigns } from './present-campaign.ts';

/** Several campaigns by id with one query; doors batch relations with it. */
export const getCampaigns = query({
  name: 'campaigns.getMany',
  summary: 'Returns campaigns by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(campaignRecord),
  handler: async (ctx, { ids }) => presentCampaigns(ctx, await findCampaigns(ctx.db, projectIdOf(ctx), ids)),
});
