import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { countHeld, noneHeld, wavesOf } from '../../mail/ledger/index.ts';
import { statsOf } from './campaign-stats.ts';
import { campaignStats } from './campaigns.schema.ts';
import { findCampaigns } from './campaigns.store.ts';
import { readCounted } from './variants/read-results.ts';
import { testStatsOf } from './variants/test-stats.ts';

/** The statistics of several campaigns; doors batch with it. */
export const getStatsOfCampaigns = query({
  name: 'campaigns.statsOfMany',
  summary: 'Returns the delivery and engagement figures of several campaigns',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(z.object({ id: z.string(), stats: campaignStats })),
  async handler(ctx, { ids }) {
    const campaigns = await findCampaigns(ctx.db, projectIdOf(ctx), ids);
    const held = await countHeld(ctx.db, projectIdOf(ctx), ids);
    const waves = await wavesOf(ctx.db, projectIdOf(ctx), campaigns);
    const tested = campaigns.filter(({ test }) => test !== null);
    const counted = await readCounted(ctx.db, projectIdOf(ctx), tested);
    return campaigns.map((campaign) => ({
      id: campaign.id,
      stats: statsOf(
        campaign,
        held.get(campaign.id) ?? noneHeld,
        waves.get(campaign.id) ?? [],
        testStatsOf(campaign, counted(campaign.id)),
      ),
    }));
  },
});
