import type { SqlConstants } from '../../base/db/index.ts';
import type { StoredType } from '../../base/event-types/event-types.rules.ts';
import { withoutEffect } from './consent.rules.ts';

const subscribed: StoredType = 'contact.subscribed';
const unsubscribed: StoredType = 'contact.unsubscribed';
const topicSubscribed: StoredType = 'contact.topic.subscribed';
const topicUnsubscribed: StoredType = 'contact.topic.unsubscribed';

export const constants: SqlConstants = {
  subscribed,
  unsubscribed,
  topicSubscribed,
  topicUnsubscribed,
  withoutEffect,
};
