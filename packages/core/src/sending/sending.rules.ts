import type { EmailClass, EmailSource } from '../db/index.ts';

/** Order of claims: what people wait for overtakes what they do not (B3.3). */
export const priorities = {
  SYSTEM: 0,
  TRANSACTIONAL: 1,
  TEST: 1,
  WORKFLOW: 2,
  CAMPAIGN: 3,
} as const satisfies Record<EmailSource, number>;

const minute = 60_000;
/** Delays after the first, second, … temporary failure; afterwards every two hours (B3.3). */
const retryDelays = [1, 2, 5, 15, 30, 60].map((minutes) => minutes * minute);
const lastDelay = 120 * minute;
/** Counted from the first answer that this email was given. */
const giveUpAfter = 72 * 60 * minute;

export interface RetryTimes {
  /** multiplies every delay; 1 in production, small in tests */
  scale: number;
}

export type RetryDecision = { kind: 'retry'; at: Date } | { kind: 'give_up' };

/**
 * What happens after a temporary failure.
 *
 * @param attempts how many attempts failed before this one
 * @param firstAnsweredAt when this email was first answered; null when this is the first answer
 */
export function afterTemporaryFailure(
  attempts: number,
  firstAnsweredAt: Date | null,
  now: Date,
  { scale }: RetryTimes,
): RetryDecision {
  const since = firstAnsweredAt ? now.getTime() - firstAnsweredAt.getTime() : 0;
  if (since >= giveUpAfter * scale) return { kind: 'give_up' };
  const delay = retryDelays[attempts] ?? lastDelay;
  return { kind: 'retry', at: new Date(now.getTime() + delay * scale) };
}

export type SkipReason =
  | 'unsubscribed'
  | 'suppressed'
  | 'cancelled'
  | 'project_disabled'
  | 'duplicate'
  | 'invalid';

export interface ClaimFacts {
  type: EmailClass;
  sourceType: EmailSource;
  contactId: string | null;
  contactSubscribed: boolean | null;
  /** a workflow step may name an address of its own: it needs no subscription (B2.7) */
  toContact: boolean;
  suppressed: boolean;
  campaignStatus: string | null;
  projectDisabled: boolean;
  projectDeleted: boolean;
}

/** Why an email that was claimed is not handed over after all; null when it is. */
export function skipReason(facts: ClaimFacts): SkipReason | null {
  if (facts.projectDeleted) return 'cancelled';
  if (facts.projectDisabled && facts.sourceType !== 'SYSTEM') return 'project_disabled';
  if (facts.campaignStatus === 'CANCELLED') return 'cancelled';
  if (facts.sourceType === 'SYSTEM' || facts.sourceType === 'TEST') return null;
  if (facts.contactId === null) return 'cancelled';
  if (facts.type !== 'TRANSACTIONAL' && facts.toContact && facts.contactSubscribed === false)
    return 'unsubscribed';
  if (facts.suppressed) return 'suppressed';
  return null;
}

/**
 * Whose links a mail carries. Those of test mail are inert, also when the member is a contact: whoever tries them must not be
 * unsubscribed by that (B1.6).
 */
export const linkOwnerOf = (email: {
  id: string;
  contactId: string | null;
  sourceType: EmailSource;
}): { contactId: string | null; emailId: string } => ({
  contactId: email.sourceType === 'TEST' ? null : email.contactId,
  emailId: email.id,
});

/**
 * The contact as the variables of an email show it. What `/v1/send` accepts is fixed at that moment: address, subscription and data
 * are those of the request, whatever became of the contact since (B4.2). Other mail shows the contact of today.
 */
export const shownContactOf = (email: {
  to: string;
  sourceType: EmailSource;
  contactId: string | null;
  contactEmail: string | null;
  contactSubscribed: boolean | null;
  acceptedSubscribed: boolean | null;
  vars: Record<string, unknown> | null;
  contactData: Record<string, unknown> | null;
}): { id: string; email: string; subscribed: boolean; data: Record<string, unknown> } => ({
  id: email.contactId ?? '',
  email: email.sourceType === 'TRANSACTIONAL' ? email.to : (email.contactEmail ?? email.to),
  subscribed: email.acceptedSubscribed ?? email.contactSubscribed ?? false,
  data: email.vars ?? email.contactData ?? {},
});

/** Seconds until the next probe of a paused route, by how often it failed (B3.3). */
export function probeDelaySeconds(failures: number, reason: string): number {
  if (reason === 'auth') return 300;
  return [5, 15, 60][failures - 1] ?? 60;
}
