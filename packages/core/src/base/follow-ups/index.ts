export { findOverdueEvents, findOverdueMemberships } from './follow-ups.store.ts';
export { createFollowUpScheduler } from './schedule-follow-ups.ts';
