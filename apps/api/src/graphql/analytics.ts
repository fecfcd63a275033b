import {
  getCampaignAnalytics,
  getTimeseries,
  listTopCampaigns,
  listTopEvents,
} from '@postrider/core/analytics';
import { queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const Timeseries = objectFromZod(getTimeseries.output);
const TopCampaigns = objectFromZod(listTopCampaigns.output);
const CampaignAnalytics = objectFromZod(getCampaignAnalytics.output);
const TopEvents = objectFromZod(listTopEvents.output);

queryField('timeseries', getTimeseries, Timeseries);
queryField('topCampaigns', listTopCampaigns, TopCampaigns);
queryField('campaignAnalytics', getCampaignAnalytics, CampaignAnalytics);
queryField('topEvents', listTopEvents, TopEvents);
