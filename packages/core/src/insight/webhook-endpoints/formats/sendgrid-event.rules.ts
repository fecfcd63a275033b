import { testType } from '../event-types.rules.ts';
import {
  type BodyOf,
  classOf,
  emailOf,
  isPermanent,
  known,
  type Told,
  textOrNull,
  unknownType,
  wordsOf,
} from './told.rules.ts';

/** One event of SendGrid. A request has a list of them, here of one. */
export const sendgridEvent: BodyOf = (told) => {
  const { id, type, data, eventAt } = told;
  const own = { timestamp: Math.floor(eventAt.getTime() / 1_000), sg_event_id: id };
  if (type === testType) return { ...own, event: testType, message: data['message'] };
  const email = emailOf(told);
  return {
    // What the sender named itself stands beside the fields of the service, which count.
    ...email.metadata,
    ...known({
      email: email.to,
      ...own,
      'smtp-id': textOrNull(email.messageId),
      sg_message_id: email.id,
      category: email.tags.length > 0 ? email.tags : null,
      ...eventOf(told),
    }),
  };
};

function eventOf(told: Told): Record<string, unknown> {
  const words = textOrNull(wordsOf(told));
  switch (told.type) {
    case 'email.sent':
      return { event: 'processed' };
    case 'email.delivery':
      return { event: 'delivered' };
    case 'email.open':
      return { event: 'open' };
    case 'email.click':
      return { event: 'click', url: told.data['link'] };
    case 'email.bounce': {
      if (!isPermanent(told)) return { event: 'deferred', response: words };
      const bounce_classification = classifications.get(classOf(told)) ?? 'Unclassified';
      return { event: 'bounce', type: 'bounce', reason: words, bounce_classification };
    }
    case 'email.complaint':
      return { event: 'spamreport' };
    case 'email.failed':
    case 'email.skipped':
      return { event: 'dropped', reason: words };
    case 'contact.unsubscribed':
      return { event: 'unsubscribe' };
    default:
      throw unknownType('SENDGRID', told.type);
  }
}

/** By what the mail server said (behaviour B3.7). */
const classifications: ReadonlyMap<string, string> = new Map([
  ['no_mailbox', 'Invalid Address'],
  ['no_domain', 'Invalid Address'],
  ['closed', 'Mailbox Unavailable'],
  ['full', 'Mailbox Unavailable'],
  ['blocked', 'Reputation'],
  ['content', 'Content'],
  ['unreachable', 'Technical'],
]);
