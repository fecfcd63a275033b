import type { EmailSource } from '../../base/db/index.ts';

/** Order of claims: email that people wait for goes first (B3.3). */
export const priorities = {
  SYSTEM: 0,
  TRANSACTIONAL: 1,
  TEST: 1,
  WORKFLOW: 2,
  CAMPAIGN: 4,
} as const satisfies Record<EmailSource, number>;

/** Email with a time is not waited for at once, like that of workflows: a single send overtakes any number of it. */
export const scheduledPriority = priorities.WORKFLOW;

/** Priorities from here on are those of campaigns; 3 is what processes of an earlier version write for their retries. */
export const firstBulkPriority = 3;

/** What a claim of direct email, and one of campaigns, looks for: in this order. */
export const claimedPriorities = {
  direct: levelsOf((level) => level < firstBulkPriority),
  bulk: levelsOf((level) => level >= firstBulkPriority),
};

/** Email is claimed, held and announced in two kinds: that of campaigns, and all other. */
export type Kind = keyof typeof claimedPriorities;

function levelsOf(isWanted: (level: number) => boolean): number[] {
  const levels = new Set([...Object.values(priorities), firstBulkPriority]);
  return [...levels].filter(isWanted).toSorted((one, other) => one - other);
}

const minute = 60_000;
/** Delays after the first, second, … temporary failure; afterwards every two hours (B3.3). */
const retryDelays = [1, 2, 5, 15, 30, 60].map((minutes) => minutes * minute);
const lastDelay = 120 * minute;
/** Counted from the first answer for this email. */
const giveUpAfter = 72 * 60 * minute;

export interface RetryTimes {
  /** multiplies every delay; 1 in production, small in tests */
  scale: number;
}

export type RetryDecision = { kind: 'retry'; waitMs: number } | { kind: 'give_up' };

/**
 * What happens after a temporary failure.
 *
 * @param attempts number of earlier failed attempts
 * @param answeredForMs time since this email was first answered; null when this is the first answer
 * @param namedMs the time that the reply asked for: a longer wait than the usual one is kept, a shorter one could be used to be asked forever
 */
export function afterTemporaryFailure(
  attempts: number,
  answeredForMs: number | null,
  { scale }: RetryTimes,
  namedMs: number | null = null,
): RetryDecision {
  if ((answeredForMs ?? 0) >= giveUpAfter * scale) return { kind: 'give_up' };
  const delay = Math.max(retryDelays[attempts] ?? lastDelay, namedMs ?? 0);
  return { kind: 'retry', waitMs: Math.round(delay * scale) };
}

/**
 * The owner of the links in an email. Links of test emails have no effect, even when the member is a contact: trying
 * them must not unsubscribe the member (B1.6). Nor may another person who gets an email about a contact opt the contact out (B2.7).
 */
export const linkOwnerOf = (email: {
  id: string;
  contactId: string | null;
  sourceType: EmailSource;
  toOther: boolean;
}): { contactId: string | null; emailId: string } => ({
  contactId: email.sourceType === 'TEST' || email.toOther ? null : email.contactId,
  emailId: email.id,
});

/**
 * The contact as seen by the variables of an email. `/v1/send` fixes address, subscription and data at the time of
 * the request (B4.2). Other email uses the current contact. A shared message is filled in once, for its first recipient.
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
  shared: SharedValues | null;
}): { id: string; email: string; subscribed: boolean; data: Record<string, unknown> } => {
  const { shared } = email;
  if (shared) {
    const { contactId, address, subscribed, vars } = shared;
    return { id: contactId ?? '', email: address, subscribed: subscribed ?? false, data: vars ?? {} };
  }
  return {
    id: email.contactId ?? '',
    email: email.sourceType === 'TRANSACTIONAL' ? email.to : (email.contactEmail ?? email.to),
    subscribed: email.acceptedSubscribed ?? email.contactSubscribed ?? false,
    data: email.vars ?? email.contactData ?? {},
  };
};

/** The first recipient of a shared message, as its variables show it. */
export interface SharedValues {
  contactId: string | null;
  address: string;
  subscribed: boolean | null;
  vars: Record<string, unknown> | null;
}
