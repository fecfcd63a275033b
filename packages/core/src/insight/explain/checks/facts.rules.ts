import type {
  DisabledReason,
  EmailClass,
  EmailSource,
  EmailStatus,
  SuppressionReason,
} from '../../../base/db/index.ts';
import type { DiagnosisClass } from '../../../base/kernel/enums.ts';
import type { HeldBy } from '../../../mail/sending/schedule.schema.ts';
import type { Actor } from './check.rules.ts';
import type { EndFact } from './ends.rules.ts';

/** What is read before anything is explained. All of it is of one project and one moment. */

export interface Diagnosis {
  class: DiagnosisClass;
  code: string | null;
  reply: number | null;
  text: string | null;
  at: string | null;
}

/** An entry of the audit log. */
export interface AuditFact {
  operation: string;
  targetId: string | null;
  changed: readonly string[];
  at: Date;
  actor: Actor;
}

/** A change of a subscription, as its event says. */
export interface Act {
  subscribed: boolean;
  reason: string | null;
  snoozedUntil: string | null;
  emailId: string | null;
  at: Date;
}

export interface SuppressionFact {
  reason: SuppressionReason;
  emailId: string | null;
  class: string | null;
  text: string | null;
  expiresAt: Date | null;
  createdAt: Date;
}

export interface ContactFact {
  id: string;
  email: string;
  subscribed: boolean;
  snoozedUntil: Date | null;
  optedOutAt: Date | null;
  subscriptionChangedAt: Date | null;
  byRecipient: boolean;
  /** numbers of topics */
  topicsOn: readonly number[];
  topicsOff: readonly number[];
  topicDefaults: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** The topic of an email, `general` of one that names none and is not transactional. */
export interface TopicFact {
  key: string;
  number: number;
  default: 'IN' | 'OUT';
  /** of transactional email, which everybody gets who has not said no */
  isTransactional: boolean;
}

/** What is known of a person: by the contact, by the address, or both. */
export interface PersonFacts {
  address: string;
  contact: ContactFact | null;
  /** newest first */
  acts: readonly Act[];
  suppression: SuppressionFact | null;
  optOut: { byRecipient: boolean; createdAt: Date } | null;
}

export interface ProjectFacts {
  now: Date;
  disabled: boolean;
  disabledReason: DisabledReason | null;
  /** the newest first */
  suspensions: readonly { reason: DisabledReason; at: Date; liftedAt: Date | null }[];
  /** resets, newest first: what was older is gone */
  resets: readonly { before: Date; at: Date }[];
}

export interface Interaction {
  type: string;
  at: Date;
  detail: string | null;
  bot: boolean;
}

export interface DomainFact {
  id: string;
  domain: string;
  status: string;
  failedChecks: number;
  /** the records that were found by the last check, by their kind */
  found: Record<string, unknown>;
  lastCheckedAt: Date | null;
}

export interface EmailFact {
  id: string;
  to: string;
  from: string;
  type: EmailClass;
  sourceType: EmailSource;
  /** as shown: SCHEDULED and SENDING are not stored */
  status: EmailStatus | 'SCHEDULED' | 'SENDING';
  reason: string | null;
  error: string | null;
  diagnosis: Diagnosis | null;
  attempts: number;
  topic: string | null;
  contactId: string | null;
  campaignId: string | null;
  templateId: string | null;
  executionId: string | null;
  toOther: boolean;
  /** of a shared message: its first email */
  sharedMessageId: string | null;
  autoResent: boolean;
  uncertainAt: Date | null;
  nextAttemptAt: Date | null;
  scheduledAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  openedAt: Date | null;
  clickedAt: Date | null;
  bouncedAt: Date | null;
  complainedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface EmailFacts {
  project: ProjectFacts;
  email: EmailFact;
  /** null without one */
  topic: TopicFact | null;
  heldBy: HeldBy | null;
  estimatedSendAt: Date | null;
  /** newest first */
  interactions: readonly Interaction[];
  /** null once the address was erased */
  person: PersonFacts | null;
  /** the campaign that it is of, while there is one */
  campaign: {
    id: string;
    name: string;
    status: string;
    statusReason: string | null;
    pausedAt: Date | null;
    pauseReason: string | null;
  } | null;
  /** the step of a workflow that wrote it */
  step: {
    workflowId: string;
    workflowName: string;
    executionId: string;
    stepId: string;
    stepName: string;
    /** what ended its execution, if that was a goal or an exit rule */
    end: EndFact | null;
    endedAt: Date | null;
  } | null;
  /** of the email, its campaign and its execution, oldest first */
  audit: readonly AuditFact[];
  route: { since: Date; reason: string } | null;
  sender: { since: Date; reason: string } | null;
  domain: DomainFact | null;
}
