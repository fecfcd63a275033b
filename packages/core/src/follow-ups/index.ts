export { createNewsAnnouncer } from './announce-news.ts';
export { deliverCampaignJob, dispatchEventsJob, refreshMembershipJob } from './follow-ups.jobs.ts';
export { findNeglectedNews } from './news.store.ts';
