export { createNewsAnnouncer } from './announce-news.ts';
export { cachedFigure, cachedTotal, type FigureOptions } from './cached-figure.store.ts';
export { createProject } from './create-project.ts';
export { getProject } from './get-project.ts';
export {
  findUsedKey,
  type IdempotencyParameters,
  idempotencyCheck,
  idempotencyCte,
  idempotencyKeyReused,
  idempotencyReused,
  type UsedKey,
} from './idempotency.store.ts';
export { listProjects } from './list-projects.ts';
export { findNeglectedNews } from './news.store.ts';
export { deliverCampaignJob, dispatchEventsJob, refreshMembershipJob } from './projects.jobs.ts';
export { regenerateKeys } from './regenerate-keys.ts';
export { accessDenied, requireMembership } from './require-membership.ts';
export { type ResolvedKey, type ResolveKeyOptions, resolveKey } from './resolve-key.ts';
export { type Membership, resolveMembership } from './resolve-membership.ts';
export { sweepIdempotencyKeys, sweepInvitations } from './retention.store.ts';
export { ensureSystemProject, systemProjectId } from './system-project.ts';
export { updateProject } from './update-project.ts';
