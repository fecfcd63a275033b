/** Who receives what, by whom it was said (behaviour B12). */

/** The status of a contact: the first that fits, in this order (behaviour B12.1). */
export const contactStatuses = ['subscribed', 'snoozed', 'pending', 'never', 'unsubscribed'] as const;
export type ContactStatus = (typeof contactStatuses)[number];

/** The statuses of contacts that are not subscribed. */
export const notSubscribedStatuses = [
  'unsubscribed',
  'never',
  'pending',
  'snoozed',
] as const satisfies ContactStatus[];
export type NotSubscribedStatus = (typeof notSubscribedStatuses)[number];

/** What of a contact its status follows from. */
export interface StatusFacts {
  subscribed: boolean;
  snoozedUntil: Date | null;
  pendingUntil: Date | null;
  stated: boolean;
}

export function statusOf({ subscribed, snoozedUntil, pendingUntil, stated }: StatusFacts): ContactStatus {
  if (subscribed) return 'subscribed';
  if (snoozedUntil !== null) return 'snoozed';
  if (pendingUntil !== null) return 'pending';
  return stated ? 'unsubscribed' : 'never';
}

/** Why a contact may be mailed, weakest first. */
export const consentBases = ['unknown', 'default', 'customer', 'given', 'confirmed'] as const;
export type ConsentBasis = (typeof consentBases)[number];

/** What callers can state. */
export const statedBases = ['given', 'confirmed', 'customer'] as const;

export const consentActions = [
  'subscribe',
  'unsubscribe',
  'topics',
  'snooze',
  'resume',
  'request',
  'confirm',
  'decline',
  'expire',
  'move',
] as const;
export const consentEffects = ['changed', 'unchanged', 'refused'] as const;
export const consentRefusals = ['opted_out', 'suppressed', 'not_subscribed', 'limited'] as const;
export const consentSources = [
  'api',
  'dashboard',
  'bulk',
  'import',
  'form',
  'page',
  'one_click',
  'workflow',
  'snooze_ended',
  'bounce',
  'complaint',
  'migration',
] as const;
export const consentActors = ['recipient', 'user', 'key', 'system'] as const;

/** Acts without effect that are stored per contact and hour: of the recipient, and of all others. */
export const withoutEffect = 20;

/** How long acts are kept without their contact, and addresses of clients after an opt-out (behaviour B12.9). */
export const actsKeptFor = '3 years';

/** Choices in one request. */
export const maxChoices = 50;

/** Characters of what a client says of itself. */
export const maxUserAgent = 500;
export const maxPage = 2_000;
export const maxIp = 45;

/** Characters of where a consent comes from, in the words of the caller. */
export const longestSource = 200;

/** Exact words of a project. */
export const maxWordings = 10_000;
export const maxWording = 2_000;
