import type { EmailClass, EmailSource } from '../../base/db/index.ts';

/** A reason by which contacts of an audience are left out, as a preview shows it. */
interface Exclusion {
  /** what is true of them: of one, and of several */
  is: readonly [one: string, many: string];
  /** what its number means, in the reference of the API */
  description: string;
  example: number;
  /** whether it exists only for the sandbox sender */
  ofSandbox?: true;
  /** whether no email is written for them, instead of a SKIPPED one */
  isLeftOut?: true;
}

interface SkipReasonDefinition {
  /** why the email was not sent, in the words of the dashboard */
  words: string;
  /** null when it arises only after an audience was chosen */
  exclusion: Exclusion | null;
}

const defineReasons = <const Reasons extends Record<string, SkipReasonDefinition>>(
  reasons: Reasons,
): Reasons => reasons;

/**
 * Every reason to skip an email (behaviour B3.3). Of several that hold for a contact of an audience, the first in this order counts. What
 * SQL asks for an exclusion is in eligibility.store.ts, and `skipReason` decides when an email is claimed.
 */
export const skipReasons = defineReasons({
  unsubscribed: {
    words: 'the contact is not subscribed',
    exclusion: {
      is: ['is unsubscribed', 'are unsubscribed'],
      description: 'Not subscribed.',
      example: 12,
      isLeftOut: true,
    },
  },
  topic: {
    words: 'the contact does not receive the topic of the email',
    exclusion: {
      is: ['does not receive the topic', 'do not receive the topic'],
      description:
        'Subscribed, without receiving the topic of the email. Of transactional email: chose not to receive its topic.',
      example: 3,
      isLeftOut: true,
    },
  },
  suppressed: {
    words: 'the address is on the suppression list',
    exclusion: {
      is: ['is suppressed', 'are suppressed'],
      description: 'On the suppression list.',
      example: 3,
    },
  },
  invalid: {
    words: 'the address is invalid',
    exclusion: {
      is: ['has an invalid address', 'have an invalid address'],
      description: 'With an address that no mail server takes.',
      example: 0,
    },
  },
  cancelled: {
    words: 'the email or its campaign was cancelled, or the contact was deleted',
    exclusion: null,
  },
  project_disabled: { words: 'the project was disabled', exclusion: null },
  duplicate: { words: 'another email of the campaign goes to the same address', exclusion: null },
  sandbox: {
    words: 'the sandbox sender reaches only members of the project',
    exclusion: {
      is: [
        'is not a member of the project, which the sandbox sender requires',
        'are not members of the project, which the sandbox sender requires',
      ],
      description: 'Not an address of the project’s own people. Only where the sender is the sandbox sender.',
      example: 100,
      ofSandbox: true,
    },
  },
  capped: {
    words:
      'the contact got as many emails as the limits of the project allow, and none of its turns came in time',
    exclusion: null,
  },
  held_out: {
    words: 'the holdout of the campaign leaves the contact out, to be compared with the others',
    exclusion: null,
  },
  exited: {
    words: 'the contact had left the workflow, by a goal or an exit rule, before the email was sent',
    exclusion: null,
  },
});

type Definitions = typeof skipReasons;

export type SkipReason = keyof Definitions;

/** Reasons by which contacts of an audience are left out. */
export type ExcludedBy = {
  [Reason in SkipReason]: Definitions[Reason]['exclusion'] extends null ? never : Reason;
}[SkipReason];

const isExclusion = (reason: SkipReason): reason is ExcludedBy => skipReasons[reason].exclusion !== null;

export const reasonNames = Object.keys(skipReasons) as SkipReason[];

export const exclusions: readonly ExcludedBy[] = reasonNames.filter(isExclusion);

export const exclusionOf = (reason: ExcludedBy): Exclusion => skipReasons[reason].exclusion;

export const isSkipReason = (reason: string): reason is SkipReason => Object.hasOwn(skipReasons, reason);

/** The display text of a reason; one of an earlier version is shown as it is stored. */
export const reasonInWords = (reason: string): string =>
  isSkipReason(reason) ? skipReasons[reason].words : reason;

/** What is known of a claimed email that decides whether it is handed over. */
export interface ClaimFacts {
  type: EmailClass;
  sourceType: EmailSource;
  contactId: string | null;
  contactSubscribed: boolean | null;
  /** its address is another person's: a custom address of a workflow step (B2.7) */
  toOther: boolean;
  /** that person has opted out */
  otherOptedOut: boolean;
  /** the contact, or that person, does not receive its topic */
  topicOff: boolean;
  suppressed: boolean;
  /** it is from the sandbox sender, which may not send to this address (behaviour B11.4) */
  outsideSandbox: boolean;
  /** an earlier version has stored an address that is none */
  invalid: boolean;
  /** its batch was stopped */
  stopped: boolean;
  campaignStatus: string | null;
  projectDisabled: boolean;
  projectDeleted: boolean;
}

/** The reason to skip a claimed email; null when it may be handed over. */
export const skipReason = (facts: ClaimFacts): SkipReason | null =>
  overtakenBy(facts) ?? notForContact(facts) ?? (facts.invalid ? 'invalid' : null);

/** What has happened since the email was stored. */
function overtakenBy({ sourceType, ...facts }: ClaimFacts): SkipReason | null {
  if (facts.stopped || facts.projectDeleted) return 'cancelled';
  if (facts.projectDisabled && sourceType !== 'SYSTEM') return 'project_disabled';
  return facts.campaignStatus === 'CANCELLED' ? 'cancelled' : null;
}

/** What the contact or the sender does not allow. A test email goes to a member, whatever the contact of that address wishes. */
function notForContact(facts: ClaimFacts): SkipReason | null {
  const { sourceType } = facts;
  if (sourceType === 'SYSTEM') return null;
  if (sourceType !== 'TEST') {
    if (facts.contactId === null) return 'cancelled';
    const optedOut = facts.toOther ? facts.otherOptedOut : facts.contactSubscribed === false;
    if (facts.type !== 'TRANSACTIONAL' && optedOut) return 'unsubscribed';
    if (facts.topicOff) return 'topic';
    if (facts.suppressed) return 'suppressed';
  }
  return facts.outsideSandbox ? 'sandbox' : null;
}
