import { z } from 'zod';
import { storable } from '../../base/lib/storable.rules.ts';
import { emailIdTag } from '../../base/providers/providers.rules.ts';
import { type BounceType, type Diagnosis, diagnose, diagnosisOf } from '../diagnosis/diagnosis.rules.ts';

/** What Amazon SES reports about one email. */
export type SesNews =
  | { kind: 'sent' }
  | { kind: 'delivered' }
  | { kind: 'open'; userAgent: string | null }
  | { kind: 'click'; userAgent: string | null; link: string | null }
  | { kind: 'bounce'; bounceType: BounceType; diagnosis: Diagnosis; detail: string | null }
  | { kind: 'complaint'; detail: string | null }
  | { kind: 'rejected'; error: string }
  | { kind: 'delay'; detail: string | null }
  /** without meaning here, such as a change of subscription */
  | { kind: 'other' };

export interface SesNotification {
  /** Amazon's id of the message */
  providerId: string;
  /** the email's id, from the header or the tag that it was sent with; null when the notification has neither */
  emailId: string | null;
  /** when it happened; null when the notification does not say */
  at: Date | null;
  news: SesNews;
}

const text = z.string().nullish().catch(null);
const recipients = z
  .array(z.object({ status: text, diagnosticCode: text }).catch({ status: null, diagnosticCode: null }))
  .catch([]);
/** A field that nothing depends on is read as missing when it is malformed. */
const part = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object({ timestamp: text, ...shape })
    .optional()
    .catch(undefined);

/** Event publishing names a notification `eventType`, feedback notifications `notificationType`. */
const notification = z.object({
  eventType: text,
  notificationType: text,
  mail: z.object({
    messageId: z
      .string()
      .min(1)
      .refine((id) => storable(id) === id),
    timestamp: text,
    headers: z
      .array(z.object({ name: z.string(), value: z.string() }))
      .nullish()
      .catch(null),
    tags: z.record(z.string(), z.array(z.string())).nullish().catch(null),
  }),
  bounce: part({ bounceType: text, bounceSubType: text, bouncedRecipients: recipients }),
  complaint: part({ complaintFeedbackType: text, complaintSubType: text }),
  delivery: part({}),
  open: part({ userAgent: text }),
  click: part({ userAgent: text, link: text }),
  reject: part({ reason: text }),
  failure: part({ errorMessage: text }),
  deliveryDelay: part({ delayType: text, delayedRecipients: recipients }),
});

type Notification = z.output<typeof notification>;

/** The header that carries an email's id, besides the tag. */
const emailIdHeader = 'X-Postrider-Email';

/** Reads the text of a notification of Amazon SES; null when it is not JSON, or does not name a message. */
export function parseSesNotification(message: string): SesNotification | null {
  const parsed = notification.safeParse(parseJson(message));
  if (!parsed.success) return null;
  const { mail } = parsed.data;
  const { news, at } = newsOf(parsed.data);
  return { providerId: mail.messageId, emailId: emailIdOf(mail), at: dateOf(at), news };
}

function parseJson(message: string): unknown {
  try {
    return JSON.parse(message);
  } catch {
    return undefined;
  }
}

function newsOf(given: Notification): { news: SesNews; at?: string | null | undefined } {
  const { bounce, complaint, open, click, deliveryDelay, mail } = given;
  switch ((given.eventType ?? given.notificationType ?? '').toLowerCase()) {
    case 'send':
      return { news: { kind: 'sent' }, at: mail.timestamp };
    case 'delivery':
      return { news: { kind: 'delivered' }, at: given.delivery?.timestamp };
    case 'open':
      return { news: { kind: 'open', userAgent: open?.userAgent ?? null }, at: open?.timestamp };
    case 'click': {
      const news = { kind: 'click', userAgent: click?.userAgent ?? null, link: click?.link ?? null } as const;
      return { news, at: click?.timestamp };
    }
    case 'bounce': {
      const detail = detailOf(bounce?.bouncedRecipients, bounce?.bounceSubType);
      return { news: { kind: 'bounce', ...bounceOf(bounce), detail }, at: bounce?.timestamp };
    }
    case 'complaint':
      // RFC 6430: the recipient took the complaint back.
      if (complaint?.complaintFeedbackType === 'not-spam') return { news: { kind: 'other' } };
      return {
        news: {
          kind: 'complaint',
          detail: complaint?.complaintFeedbackType ?? complaint?.complaintSubType ?? null,
        },
        at: complaint?.timestamp,
      };
    case 'reject':
      return { news: { kind: 'rejected', error: `Rejected: ${given.reject?.reason ?? 'no reason given'}` } };
    case 'rendering failure':
      return {
        news: {
          kind: 'rejected',
          error: `Rendering Failure: ${given.failure?.errorMessage ?? 'no reason given'}`,
        },
      };
    case 'deliverydelay': {
      const detail = detailOf(deliveryDelay?.delayedRecipients, deliveryDelay?.delayType);
      return { news: { kind: 'delay', detail }, at: deliveryDelay?.timestamp };
    }
    default:
      return { news: { kind: 'other' } };
  }
}

/** Sub-types of permanent bounces that are about the address itself. */
const lasting = new Set(['Suppressed', 'OnAccountSuppressionList', 'NoEmail']);

/**
 * What a bounce says (behaviour B3.7). A permanent one without a text of the receiving server, or of a sub-type that is about the address, is
 * final; of the others the text decides, so that a refusal of the message suppresses nobody. The other types are kept.
 */
function bounceOf(bounce: Notification['bounce']): { bounceType: BounceType; diagnosis: Diagnosis } {
  const [first] = bounce?.bouncedRecipients ?? [];
  const text = first?.diagnosticCode?.slice(0, longestDetail) ?? null;
  const said = text?.replace(/^[\w-]{1,30}\s*;\s*/, '') ?? '';
  const found = diagnose({ reply: null, status: first?.status ?? null, text: said, about: null });
  const diagnosis = diagnosisOf(found, text);
  if (bounce?.bounceType === 'Permanent') {
    const subType = bounce.bounceSubType ?? '';
    if (text !== null && !lasting.has(subType)) return { bounceType: found.bounceType, diagnosis };
    const named = found.bounceType === 'Permanent' ? found.class : 'no_mailbox';
    return { bounceType: 'Permanent', diagnosis: { ...diagnosis, class: named } };
  }
  // An unknown type must not suppress an address.
  return { bounceType: bounce?.bounceType === 'Transient' ? 'Transient' : 'Undetermined', diagnosis };
}

const longestDetail = 2_000;

/** What the receiving server said, else the class of the bounce or delay. */
function detailOf(
  given: z.output<typeof recipients> | undefined,
  otherwise: string | null | undefined,
): string | null {
  const [first] = given ?? [];
  return (first?.diagnosticCode ?? first?.status ?? otherwise)?.slice(0, longestDetail) ?? null;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function emailIdOf({ headers, tags }: Notification['mail']): string | null {
  const header = headers?.find(({ name }) => name.toLowerCase() === emailIdHeader.toLowerCase())?.value;
  for (const id of [header, tags?.[emailIdTag]?.[0]])
    if (id !== undefined && uuid.test(id.trim())) return id.trim().toLowerCase();
  return null;
}

function dateOf(given: string | null | undefined): Date | null {
  const at = new Date(given ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
}
