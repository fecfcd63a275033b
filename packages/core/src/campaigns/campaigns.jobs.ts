export { deliverCampaignJob } from '../projects/projects.jobs.ts';
