export { findOverdueMemberships } from './follow-ups.store.ts';
export { executionsChannel, notifyExecutions } from './notify-executions.ts';
export { createFollowUpScheduler } from './schedule-follow-ups.ts';
