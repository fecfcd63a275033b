/** How final a bounce is: the address is refused for good, the delivery failed this time, or the report does not say. */
export type BounceType = 'Permanent' | 'Transient' | 'Undetermined';

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
 * `sent`: accepted. `delivered`: in the mailbox, or relayed. `bounce`: not delivered. `complaint`: marked as spam. `opt_out`: the recipient wants no more
 * of it. `rejected`: the
 * provider refused it after accepting it. `delay`, `auto_reply` and `unknown` are kept as interactions.
 */
export type DeliveryNews = NewsBase &
  (
    | { kind: 'bounce'; bounceType: BounceType }
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

/**
 * `applied`: stored now. `repeated`: stored before, without effect. `unknown_email`: there is no such email. `too_early`: a refusal of an
 * email whose hand-over is not recorded yet; nothing is stored, and the report is to be given again.
 */
export type NewsOutcome = 'applied' | 'repeated' | 'unknown_email' | 'too_early';

/** Characters of a detail that are stored. */
const detailLength = 500;

/** A detail as it is stored: one line without control characters; null when nothing remains. */
export function storedDetail(detail: string | null): string | null {
  const line = (detail ?? '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, detailLength)
    .toWellFormed();
  return line === '' ? null : line;
}
