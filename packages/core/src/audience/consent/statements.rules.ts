import type { ConsentBasis, consentActors, consentRefusals, consentSources } from './consent.rules.ts';

/**
 * Who says it, which decides whose opt-outs it may end (behaviour B12.4):
 * - `recipient`: by a page, a link or a confirmation; any of them
 * - `single`: one request about one contact, with a secret key or in the dashboard; any of them, marked `liftsOptOut` where it is not a request's
 * - `mass`: a bulk change or a workflow; those that a request made
 * - `public`: a public key; those that a request made
 * - `import`: none
 */
export type Authority = 'recipient' | 'single' | 'mass' | 'public' | 'import';

/** Who says something, where, and what was shown: what acts of one call share. */
export interface Saying {
  by: Authority;
  source: (typeof consentSources)[number];
  actor: (typeof consentActors)[number];
  /** of a user or a named key */
  actorId?: string | null;
  /** of a named key */
  keyName?: string | null;
  /** of the event that tells of a change of the subscription or of a topic; without one nothing is told */
  reason?: string | null;
  /** recorded also if it changes nothing */
  always?: boolean;
  basis?: ConsentBasis | null;
  /** when it happened, if that is not now */
  at?: Date | string | null;
  wordingId?: string | null;
  formId?: string | null;
  formVersion?: number | null;
  emailId?: string | null;
  jobId?: string | null;
  executionId?: string | null;
  page?: string | null;
  ip?: string | null;
  userAgent?: string | null;
  evidence?: Record<string, unknown> | null;
}

/** What is said of one contact. */
export interface Statement extends Partial<Saying> {
  contact: string;
  /**
   * - `state`: a subscription, an opt-out, choices, or evidence alone
   * - `snooze`: a pause until `until`, of who is subscribed or paused
   * - `resume`: a pause is over
   * - `request`: a subscription request is open until `until`; with `refusal` it was not made
   * - `confirm`, `decline`, `expire`: the request `requestId`, whose row has been changed before in the same transaction
   */
  kind: 'state' | 'snooze' | 'resume' | 'request' | 'confirm' | 'decline' | 'expire';
  /** null or absent: not said */
  wanted?: boolean | null;
  /** numbers of topics: chosen, and not wanted */
  yes?: readonly number[];
  no?: readonly number[];
  /** topics without a choice are off from now on, or have their defaults */
  defaults?: boolean | null;
  /** choosing topics does not end a pause */
  keepsPause?: boolean;
  /** who receives nothing afterwards is unsubscribed */
  endsIfNothing?: boolean;
  /** an opt-out concerns only who is subscribed or paused */
  ifReachable?: boolean;
  /** whose an opt-out is, if it is not its author's */
  optOutBy?: 'request' | 'recipient';
  until?: Date | string | null;
  requestId?: string | null;
  refusal?: (typeof consentRefusals)[number] | null;
  /** keyed hash of the address in hex: an opt-out on record then counts, and is removed by a subscription */
  optOut?: string | null;
}

/** What became of a contact. */
export interface Consented {
  contactId: string;
  effect: 'changed' | 'unchanged' | 'refused';
  /** also of what is `changed`, where a part was refused */
  refusal: (typeof consentRefusals)[number] | null;
  /** `subscribed` changed */
  flipped: boolean;
  subscribed: boolean;
  snoozedUntil: Date | null;
  wasSubscribed: boolean;
  wasSnoozed: boolean;
}
