import { z } from 'zod';
import { cursorsOf, pageOfEach, pagesOf, pagesOfEach, projectIdOf, query } from '../../base/kernel/index.ts';
import { campaignRecord } from './campaigns.schema.ts';
import { withCounters } from './campaigns.store.ts';
import { campaignsOfEach, countCampaignsOfEach } from './campaigns-of-each.store.ts';
import { presentCampaigns } from './present-campaign.ts';

/** The campaigns of several segments or templates; GraphQL's nested lists use it. */
export const listCampaignsOfEach = query({
  name: 'campaigns.ofEach',
  summary: 'Lists the campaigns of each segment or template, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: z.object({ ...pageOfEach, parent: z.enum(['segmentId', 'templateId']) }),
  output: pagesOfEach(campaignRecord),
  async handler(ctx, { ids, totals, ...input }) {
    const { parent, limit } = input;
    const after = cursorsOf('campaigns.ofEach', input).after();
    const search = { projectId: projectIdOf(ctx), parent, ids };
    const [rows, counts] = await Promise.all([
      campaignsOfEach(ctx.db, search, { after, take: limit + 1 }),
      totals && !after ? countCampaignsOfEach(ctx.db, search) : [],
    ]);
    const campaigns = await presentCampaigns(ctx, await withCounters(ctx.db, rows));
    return pagesOf({ ids, limit }, campaigns, (campaign) => campaign[parent], counts);
  },
});
