import {
  compareCampaigns,
  getBreakdown,
  getCampaignAnalytics,
  getCampaignReport,
  getClients,
  getContactGrowth,
  getTimeseries,
  getWorkflowFigures,
  listLinks,
  listTopCampaigns,
  listTopEvents,
} from '@postrider/core/insight/analytics';
import { queryField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const Timeseries = objectFromZod(getTimeseries.output);
const TopCampaigns = objectFromZod(listTopCampaigns.output);
const CampaignAnalytics = objectFromZod(getCampaignAnalytics.output);
const TopEvents = objectFromZod(listTopEvents.output);
const Breakdown = objectFromZod(getBreakdown.output);
const CampaignComparison = objectFromZod(compareCampaigns.output);
const ClientFigures = objectFromZod(getClients.output);
const Links = objectFromZod(listLinks.output);
const ContactGrowth = objectFromZod(getContactGrowth.output);
const CampaignReport = objectFromZod(getCampaignReport.output);
const WorkflowFigures = objectFromZod(getWorkflowFigures.output);

queryField('timeseries', getTimeseries, Timeseries);
queryField('topCampaigns', listTopCampaigns, TopCampaigns);
queryField('campaignAnalytics', getCampaignAnalytics, CampaignAnalytics);
queryField('topEvents', listTopEvents, TopEvents);
queryField('breakdown', getBreakdown, Breakdown);
queryField('campaignComparison', compareCampaigns, CampaignComparison);
queryField('clientFigures', getClients, ClientFigures);
queryField('links', listLinks, Links);
queryField('contactGrowth', getContactGrowth, ContactGrowth);
queryField('campaignReport', getCampaignReport, CampaignReport);
queryField('workflowFigures', getWorkflowFigures, WorkflowFigures);
