import { defineCheck, type Finding, type Link, link, type Next, nothing } from './check.rules.ts';
import type { ContactFact, EmailFacts, TopicFact } from './facts.rules.ts';

/** Why a contact does not receive the topic of an email (behaviour B12.3). */

/** In words, of what the contact is at present; null when it does receive it. */
function topicOff(
  { key, number, default: fallback, isTransactional }: TopicFact,
  contact: ContactFact,
): string | null {
  if (contact.topicsOff.includes(number)) return `The contact chose not to receive the topic ${key}`;
  if (isTransactional || contact.topicsOn.includes(number)) return null;
  if (!contact.topicDefaults)
    return `The contact chose what it receives, and the topic ${key} is not part of that`;
  return fallback === 'OUT'
    ? `The topic ${key} is received by those who chose it, and the contact has not`
    : null;
}

const decision: Next = nothing(
  'The contact does not receive the topic. That is its decision, and stays until the contact changes it',
);

/** @param at until when the contact must not have changed, for what it is now to be what it was */
export function notReceiving(
  topic: TopicFact,
  contact: ContactFact,
  at: Date,
): { headline: string; link: Link; next: Next } | null {
  const text = topicOff(topic, contact);
  if (text === null) return null;
  const isUnknown = contact.updatedAt > at;
  return {
    headline: isUnknown ? `${text}; it changed since, and what it was then is not stored` : text,
    link: link('topic', isUnknown ? 'unknown' : 'stopped', isUnknown ? `${text} now` : text, {
      at: isUnknown ? null : at,
      facts: {
        topic: topic.key,
        default: topic.default,
        choice: contact.topicsOff.includes(topic.number)
          ? false
          : contact.topicsOn.includes(topic.number) || null,
        topicDefaults: contact.topicDefaults,
      },
      ref: { type: 'contact', id: contact.id },
    }),
    next: decision,
  };
}

/** Of an email that was skipped for its topic. */
export const skippedTopic = defineCheck<EmailFacts>(({ email, person, topic }): Finding => {
  const found = topic && person?.contact ? notReceiving(topic, person.contact, email.updatedAt) : null;
  return {
    cause: 'topic',
    headline: found?.headline ?? 'The contact did not receive the topic of the email then',
    links: [
      found?.link ??
        link(
          'topic',
          'unknown',
          person?.contact
            ? 'The contact receives the topic now; what it had chosen then is not stored'
            : 'The contact was deleted since, with what is known of its choices',
          { at: email.updatedAt, facts: { topic: email.topic } },
        ),
    ],
    next: [found?.next ?? nothing('A later email of the topic goes to it, if it receives the topic then')],
  };
});
