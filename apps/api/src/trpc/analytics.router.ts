import {
  compareCampaigns,
  getBreakdown,
  getCampaignAnalytics,
  getCampaignReport,
  getClients,
  getContactGrowth,
  getOverview,
  getTimeseries,
  listLinks,
  listTopCampaigns,
  listTopEvents,
} from '@postrider/core/insight/analytics';
import { asQuery, t } from './trpc.ts';

export const analyticsRouter = t.router({
  overview: asQuery(getOverview),
  timeseries: asQuery(getTimeseries),
  topCampaigns: asQuery(listTopCampaigns),
  campaignStats: asQuery(getCampaignAnalytics),
  topEvents: asQuery(listTopEvents),
  breakdown: asQuery(getBreakdown),
  compareCampaigns: asQuery(compareCampaigns),
  clients: asQuery(getClients),
  links: asQuery(listLinks),
  contactGrowth: asQuery(getContactGrowth),
  campaignReport: asQuery(getCampaignReport),
});
