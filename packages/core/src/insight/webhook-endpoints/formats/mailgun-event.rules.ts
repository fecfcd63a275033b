import { testType } from '../event-types.rules.ts';
import {
  type BodyOf,
  domainIn,
  emailOf,
  isPermanent,
  known,
  mailboxOf,
  type Told,
  textOrNull,
  unknownType,
  wordsOf,
} from './told.rules.ts';

/** The `event-data` of a webhook of Mailgun. Its `signature` stands beside it. */
export const mailgunEvent: BodyOf = (told) => {
  const { id, type, data, eventAt } = told;
  const own = { id, timestamp: eventAt.getTime() / 1_000 };
  if (type === testType)
    return { ...own, event: testType, 'log-level': 'info', description: data['message'] };
  const email = emailOf(told);
  const domain = domainIn(email.from);
  const to = textOrNull(email.to);
  return known({
    ...own,
    ...eventOf(told),
    recipient: email.to,
    'recipient-domain': to === null ? null : domainIn(to),
    domain: { name: domain },
    envelope: { sender: email.from, targets: email.to },
    message: {
      // The id that the send answered, without its brackets.
      headers: known({
        'message-id': `${email.id}@${domain}`,
        from: mailboxOf(email),
        to,
        subject: email.subject,
      }),
    },
    flags: { 'is-test-mode': false },
    tags: email.tags,
    'user-variables': email.metadata,
  });
};

function eventOf(told: Told): Record<string, unknown> {
  switch (told.type) {
    case 'email.sent':
      return { event: 'accepted', 'log-level': 'info' };
    case 'email.delivery':
      return { event: 'delivered', 'log-level': 'info' };
    case 'email.open':
      return { event: 'opened', 'log-level': 'info' };
    case 'email.click':
      return { event: 'clicked', 'log-level': 'info', url: told.data['link'] };
    case 'email.bounce':
      return failed(told, isPermanent(told) ? 'permanent' : 'temporary', 'bounce');
    case 'email.complaint':
      return { event: 'complained', 'log-level': 'warn' };
    case 'email.failed':
      return failed(told, 'permanent', 'generic');
    case 'email.skipped':
      return failed(told, 'permanent', textOrNull(told.data['reason']) ?? 'generic');
    case 'contact.unsubscribed':
      return { event: 'unsubscribed', 'log-level': 'warn' };
    default:
      throw unknownType('MAILGUN', told.type);
  }
}

/** A reply code at the beginning of the words of a mail server (RFC 5321, 4.2). */
const replyCode = /^[2-5]\d{2}(?=[ -])/;

function failed(told: Told, severity: 'permanent' | 'temporary', reason: string): Record<string, unknown> {
  const message = wordsOf(told);
  const code = replyCode.exec(message)?.[0];
  return {
    event: 'failed',
    severity,
    reason,
    'log-level': severity === 'permanent' ? 'error' : 'warn',
    'delivery-status': known({ message, code: code === undefined ? null : Number(code) }),
  };
}
