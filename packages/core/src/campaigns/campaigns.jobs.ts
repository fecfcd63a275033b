export { deliverCampaignJob } from '../follow-ups/follow-ups.jobs.ts';
