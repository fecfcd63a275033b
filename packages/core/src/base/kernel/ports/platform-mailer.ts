import type { Db } from '../../db/client.ts';
import type { DisabledReason } from '../../db/index.ts';
import type { MailLanguage } from '../../lib/mail-languages.ts';
import type { SenderRefusal } from '../enums.ts';

/** The emails from the platform itself, and the values that the text of each needs. All values are plain text. */
export interface PlatformMails {
  verification: NoValues;
  passwordReset: NoValues;
  accountDeletion: NoValues;
  /** to people who may know neither: `project` is null where its name could pass for an address on the web */
  invitation: { project: string | null; inviter: string };
  projectDisabled: { project: string; reason: DisabledReason };
  projectEnabled: { project: string };
  domainVerified: { domain: string };
  domainLost: { domain: string };
  domainAddedElsewhere: { domain: string };
  endpointDisabled: { project: string; url: string; reason: 'GONE' | 'FAILING' };
  renderLimit: { subject: string; isThird: boolean };
  /** by step and reason, most first; `count` is of all of them */
  executionsFailed: {
    project: string;
    workflow: string;
    count: number;
    groups: readonly { step: string; reason: string; count: number }[];
  };
  /** `failed` of `visits` executions failed at the step */
  workflowDisabled: { project: string; workflow: string; step: string; failed: number; visits: number };
  /** `sent` of `total` emails of the campaign are sent; `forgotten`: it has been paused for a week, whatever for */
  campaignPaused: {
    project: string;
    campaign: string;
    reason: GuardReason | 'forgotten';
    sent: number;
    total: number;
  };
  /** the rest of a campaign waits for a person; `isMismatch`: its variants arrived in parts too unequal */
  testUndecided: { project: string; campaign: string; isMismatch: boolean };
  approvalRequested: { project: string };
  /** a second person is to approve a campaign */
  campaignApprovalRequested: { project: string; campaign: string };
  reportsUnproven: { project: string };
  /** so many subscription requests of a day are unconfirmed that no more are taken */
  requestsUnconfirmed: { project: string };
  /** `count` emails of seven days were refused for the sender */
  emailRefused: { project: string; refusal: SenderRefusal; count: number };
  /** `percent` of the limit is reached; both figures are in MB, as in `MAX_STORAGE_MB_PER_OWNER` */
  storageLimit: { percent: 80 | 100; used: number; limit: number };
  /** to the operator, in the words of `doctor` */
  findingFailed: { check: string; found: string; cause: string; action: string };
}

/** What a campaign has too much of. */
type GuardReason = 'guard_bounces' | 'guard_complaints' | 'guard_unsubscribes';

type NoValues = Readonly<Record<never, never>>;

/** Who an email is for. */
export interface Addressee {
  email: string;
  language: MailLanguage;
}

export interface PlatformMailOf<Name extends keyof PlatformMails> {
  to: Addressee;
  mail: Name;
  values: PlatformMails[Name];
  /** where its button leads */
  url: string;
}

export type PlatformMail = { [Name in keyof PlatformMails]: PlatformMailOf<Name> }[keyof PlatformMails];

/** Sends platform emails through the ledger, so that areas below `sending` can send them too. */
export interface PlatformMailer {
  /** Writes the email in the caller's transaction: it is sent if and only if the change it reports is committed. */
  write(db: Db, mail: PlatformMail): Promise<void>;
  /** Starts delivery; call it after the commit. */
  notify(): void;
  /** Removes every email to an address, also those that wait: its account is gone. In the caller's transaction. */
  forget(db: Db, email: string): Promise<void>;
}
