import { acceptedOf, countsOfCampaign, isDeliveryReported, ratesOf } from '../../base/figures/index.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { campaignAnalytics, campaignAnalyticsInput } from './analytics.schema.ts';
import { type CampaignFigures, findStartedCampaigns, totalOfCampaigns } from './campaigns.store.ts';
import { previousOf } from './figures.rules.ts';
import { periodOf } from './period.rules.ts';

const mostCampaigns = 100;

export const getCampaignAnalytics = query({
  name: 'analytics.campaignStats',
  summary: 'Returns the figures of the campaigns sent in a period, together and one by one',
  permission: 'data:read',
  input: campaignAnalyticsInput,
  output: campaignAnalytics,
  async handler(ctx, { from, to, compare }) {
    const projectId = projectIdOf(ctx);
    const period = periodOf({ from, to }, new Date());
    const [totals, campaigns, before] = await Promise.all([
      totalOfCampaigns(ctx.db, projectId, period),
      findStartedCampaigns(ctx.db, projectId, period, mostCampaigns),
      compare ? totalOfCampaigns(ctx.db, projectId, previousOf(period)) : null,
    ]);
    return {
      totals: withRates(totals),
      ...(before && { previous: withRates(before) }),
      campaigns: campaigns.map(withRates),
    };
  },
});

const withRates = <Figures extends CampaignFigures>(figures: Figures) => {
  const counts = countsOfCampaign(figures);
  return {
    ...figures,
    acceptedCount: acceptedOf(counts),
    deliveryReported: isDeliveryReported(counts),
    ...ratesOf(counts),
  };
};
