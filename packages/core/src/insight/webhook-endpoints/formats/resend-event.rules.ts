import { testType } from '../event-types.rules.ts';
import {
  type BodyOf,
  classOf,
  emailOf,
  isPermanent,
  known,
  mailboxOf,
  type Told,
  unknownType,
  wordsOf,
} from './told.rules.ts';

/** The body of a webhook of Resend: `{type, created_at, data}`. */
export const resendEvent: BodyOf = (told) => ({
  type: typeOf(told),
  created_at: told.eventAt.toISOString(),
  data: told.type === testType ? { message: told.data['message'] } : { ...baseOf(told), ...detailsOf(told) },
});

const types: ReadonlyMap<string, string> = new Map([
  ['email.sent', 'email.sent'],
  ['email.delivery', 'email.delivered'],
  ['email.open', 'email.opened'],
  ['email.click', 'email.clicked'],
  ['email.complaint', 'email.complained'],
  ['email.failed', 'email.failed'],
  ['email.skipped', 'email.suppressed'],
  [testType, testType],
]);

function typeOf(told: Told): string {
  if (told.type === 'email.bounce') return isPermanent(told) ? 'email.bounced' : 'email.delivery_delayed';
  const type = types.get(told.type);
  if (type === undefined) throw unknownType('RESEND', told.type);
  return type;
}

function baseOf(told: Told): Record<string, unknown> {
  const email = emailOf(told);
  return known({
    broadcast_id: email.campaignId,
    created_at: email.createdAt,
    email_id: email.id,
    message_id: email.messageId,
    from: mailboxOf(email),
    to: [email.to],
    subject: email.subject,
    template_id: email.templateId,
    tags: email.metadata,
  });
}

const subTypes: ReadonlyMap<string, string> = new Map([
  ['no_mailbox', 'NoEmail'],
  ['full', 'MailboxFull'],
  ['too_large', 'MessageTooLarge'],
  ['content', 'ContentRejected'],
]);

function detailsOf(told: Told): Record<string, unknown> {
  const message = wordsOf(told);
  switch (told.type) {
    case 'email.click':
      return { click: { link: told.data['link'], timestamp: told.data['clickedAt'] } };
    case 'email.bounce':
      return isPermanent(told)
        ? {
            bounce: {
              message,
              type: 'Permanent',
              subType: subTypes.get(classOf(told)) ?? 'General',
              diagnosticCode: [message],
            },
          }
        : {};
    case 'email.failed':
      return { failed: { reason: message } };
    case 'email.skipped':
      return {
        suppressed: { message: 'The address is on the suppression list', type: 'OnAccountSuppressionList' },
      };
    default:
      return {};
  }
}
