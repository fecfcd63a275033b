export { checkReputation } from './check-reputation.ts';
export { getSecurity } from './get-security.ts';
export { checkReputationJob } from './reputation.jobs.ts';
export { findPendingChecks } from './reputation.store.ts';
