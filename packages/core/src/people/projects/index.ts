export { holdsConfirmUrl } from './confirm-url.rules.ts';
export { type ConfirmationSender, consentSettingsOf } from './consent-settings.schema.ts';
export { findAskingTemplate, findConsentSettings } from './consent-settings.store.ts';
export { contrast, leastContrast } from './contrast.rules.ts';
export { createProject } from './create-project.ts';
export { disableProject } from './disable-project.ts';
export { enableProject } from './enable-project.ts';
export { getProject } from './get-project.ts';
export { linkTaggingOf } from './link-tagging.schema.ts';
export { findLinkTagging } from './link-tagging.store.ts';
export { listProjects } from './list-projects.ts';
export { OwnerCache } from './owner-cache.ts';
export { sweepOwnerDays } from './owner-days.store.ts';
export { OwnerDays } from './owner-days.ts';
export {
  environmentOf,
  findApprovalSettings,
  findGate,
  findLook,
  noteChangedLimits,
  readContactLimits,
  timeZoneOfProject,
} from './projects.store.ts';
export { regenerateKeys } from './regenerate-keys.ts';
export { regenerateWebhookSecret } from './regenerate-webhook-secret.ts';
export { accessDenied, requireMembership } from './require-membership.ts';
export {
  chargeEvents,
  countMoreRequests,
  type Rate,
  type ResolvedKey,
  type ResolveKeyOptions,
  resolveKey,
} from './resolve-key.ts';
export { type Membership, resolveMembership } from './resolve-membership.ts';
export { sweepInvitations } from './retention.store.ts';
export { sweepRotatedKeys } from './rotated-keys.store.ts';
export { sweepSandboxSlots } from './sandbox.store.ts';
export { type ShownProject, showProject } from './shown-project.schema.ts';
export { ensureSystemProject, systemProjectId } from './system-project.ts';
export { updateProject } from './update-project.ts';
