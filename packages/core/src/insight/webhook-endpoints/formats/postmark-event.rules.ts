import { testType } from '../event-types.rules.ts';
import {
  type BodyOf,
  classOf,
  emailOf,
  isPermanent,
  known,
  mailboxOf,
  type Told,
  textOrNull,
  unknownType,
  wordsOf,
} from './told.rules.ts';

/** The body of a webhook of Postmark, told apart by `RecordType`. */
export const postmarkEvent: BodyOf = (told) => {
  const { type, data, eventAt } = told;
  if (type === testType) return { RecordType: testType, Message: data['message'] };
  const { to } = emailOf(told);
  const at = eventAt.toISOString();
  switch (type) {
    case 'email.delivery':
      return {
        RecordType: 'Delivery',
        ...baseOf(told),
        Recipient: to,
        DeliveredAt: data['deliveredAt'] ?? at,
      };
    case 'email.open':
      return {
        RecordType: 'Open',
        ...baseOf(told),
        Recipient: to,
        FirstOpen: data['isFirstOpen'] === true,
        ReceivedAt: at,
      };
    case 'email.click':
      return {
        RecordType: 'Click',
        ...baseOf(told),
        Recipient: to,
        OriginalLink: data['link'],
        ReceivedAt: at,
      };
    case 'email.complaint':
      return { RecordType: 'SpamComplaint', ...bounceOf(told, 'SpamComplaint', true) };
    case 'email.bounce':
      return {
        RecordType: 'Bounce',
        ...(isPermanent(told) ? bounceOf(told, 'HardBounce', true) : bounceOf(told, 'Transient', false)),
      };
    case 'email.failed':
      return { RecordType: 'Bounce', ...bounceOf(told, typeOfClass.get(classOf(told)) ?? 'Unknown', false) };
    case 'contact.unsubscribed':
      return {
        RecordType: 'SubscriptionChange',
        ...baseOf(told),
        Recipient: to,
        ChangedAt: at,
        Origin: 'Recipient',
        SuppressSending: true,
        SuppressionReason: 'ManualSuppression',
      };
    default:
      throw unknownType('POSTMARK', type);
  }
};

function baseOf(told: Told): Record<string, unknown> {
  const { id, tags, metadata } = emailOf(told);
  return known({ MessageID: id, Tag: tags[0], Metadata: metadata, MessageStream: 'outbound' });
}

/** The code, name and meaning of the types of the service that are told. */
const bounces = {
  HardBounce: [1, 'Hard bounce', 'The address does not accept email.'],
  Transient: [2, 'Message delayed', 'The mail server did not accept the message for now.'],
  DnsError: [256, 'DNS error', 'The mail server of the domain was not found.'],
  Unknown: [2048, 'Unknown', 'The message was not accepted.'],
  SoftBounce: [4096, 'Soft bounce', 'The mailbox did not accept the message.'],
  SpamComplaint: [100001, 'Spam complaint', 'The recipient has reported the message as spam.'],
  Blocked: [100006, 'ISP block', 'The mail server refuses messages of this sender or with this content.'],
  DMARCPolicy: [100009, 'DMARC Policy', 'The mail server refuses the message by the policy of its domain.'],
} as const;
type BounceType = keyof typeof bounces;

/** By what the mail server said (behaviour B3.7). */
const typeOfClass: ReadonlyMap<string, BounceType> = new Map<string, BounceType>([
  ['no_mailbox', 'HardBounce'],
  ['no_domain', 'DnsError'],
  ['closed', 'HardBounce'],
  ['full', 'SoftBounce'],
  ['authentication', 'DMARCPolicy'],
  ['blocked', 'Blocked'],
  ['content', 'Blocked'],
  ['too_large', 'SoftBounce'],
  ['policy', 'Blocked'],
  ['unreachable', 'Transient'],
]);

/** @param isInactive whether the address is on the suppression list now */
function bounceOf(told: Told, type: BounceType, isInactive: boolean): Record<string, unknown> {
  const email = emailOf(told);
  const [TypeCode, Name, Description] = bounces[type];
  return {
    ...baseOf(told),
    ...known({ Details: textOrNull(wordsOf(told)) }),
    ID: numberOf(told.id),
    Type: type,
    TypeCode,
    Name,
    Description,
    Email: email.to,
    From: mailboxOf(email),
    Subject: email.subject,
    BouncedAt: told.eventAt.toISOString(),
    DumpAvailable: false,
    Inactive: isInactive,
    CanActivate: isInactive && type !== 'SpamComplaint',
  };
}

/** The service numbers its bounces: the last 48 bits of the delivery's id, which are random. */
const numberOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(-12), 16);
