import type { BounceType, Diagnosis } from '../diagnosis/index.ts';

interface NewsBase {
  /** identifies the report: one with a key that was applied before has no effect */
  key: string;
  emailId: string;
  at: Date;
  /** whether it is certain that this happened: only then it counts for disabling a project (behaviour B4.19) */
  isProven: boolean;
  /** text for the customer; for `rejected` the error of the email */
  detail: string | null;
}

/**
 * What a mail server or a provider reports about an email after it was handed over (behaviour B6.3, B11.7).
 *
 * `sent`: accepted. `delivered`: in the mailbox, or relayed. `bounce`: not delivered. `complaint`: marked as spam. `opt_out`: the
 * recipient wants no more of it. `rejected`: the provider refused it after accepting it. `delay`, `auto_reply` and `unknown` are kept as interactions.
 */
export type DeliveryNews = NewsBase &
  (
    | { kind: 'bounce'; bounceType: BounceType; diagnosis: Diagnosis; isUnread?: boolean }
    | {
        kind:
          | 'sent'
          | 'delivered'
          | 'complaint'
          | 'opt_out'
          | 'rejected'
          | 'delay'
          | 'auto_reply'
          | 'unknown';
      }
  );

/** The class of the interaction of a bounce whose report says nothing: it counts like a soft one (behaviour B11.7). */
export const unreadClass = 'unread';

/**
 * `applied`: stored now. `repeated`: stored before, without effect. `unknown_email`: there is no such email. `too_early`: a refusal of an
 * email whose hand-over is not recorded yet; nothing is stored, and the report is to be given again.
 */
export type NewsOutcome = 'applied' | 'repeated' | 'unknown_email' | 'too_early';
