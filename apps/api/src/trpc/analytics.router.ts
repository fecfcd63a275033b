import {
  getCampaignAnalytics,
  getOverview,
  getTimeseries,
  listTopCampaigns,
  listTopEvents,
} from '@postrider/core/analytics';
import { asQuery, t } from './trpc.ts';

export const analyticsRouter = t.router({
  overview: asQuery(getOverview),
  timeseries: asQuery(getTimeseries),
  topCampaigns: asQuery(listTopCampaigns),
  campaignStats: asQuery(getCampaignAnalytics),
  topEvents: asQuery(listTopEvents),
});
