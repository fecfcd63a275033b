export { getCampaignAnalytics } from './get-campaign-analytics.ts';
export { getOverview } from './get-overview.ts';
export { getSetupState } from './get-setup-state.ts';
export { getTimeseries } from './get-timeseries.ts';
export { listTopCampaigns } from './list-top-campaigns.ts';
export { listTopEvents } from './list-top-events.ts';
