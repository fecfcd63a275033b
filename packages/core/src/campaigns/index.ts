export {
  type CampaignStep,
  closeCampaign,
  findNeglectedCampaigns,
  freezeCampaign,
  nextCampaignStep,
  skipCancelled,
  startScheduledCampaign,
} from './campaign-delivery.ts';
export { deliverCampaignJob } from './campaigns.jobs.ts';
export { findActiveCampaigns } from './campaigns.store.ts';
export { cancelCampaign } from './cancel-campaign.ts';
export { createCampaign } from './create-campaign.ts';
export { getCampaign } from './get-campaign.ts';
export { getCampaignStats } from './get-campaign-stats.ts';
export { getCampaigns } from './get-campaigns.ts';
export { getStatsOfCampaigns } from './get-stats-of-campaigns.ts';
export { listCampaigns } from './list-campaigns.ts';
export { sendCampaign } from './send-campaign.ts';
