import { defineRule } from '../rule.rules.ts';

/** Without a topic, email belongs to `general`: who chose one of the other topics alone does not get it (behaviour B12.3). */
export const topicMissingRule = defineRule({
  name: 'topic_missing',
  level: 'warning',
  needs: ['content', 'topics'],
  check: ({ content: { type }, topics: { isNamed, offered } }) =>
    type === 'TRANSACTIONAL' || isNamed || offered < 2
      ? []
      : [
          {
            field: 'topic',
            message:
              'Recipients can choose between topics, and this email names none; choose its topic, so that they get what they asked for.',
          },
        ],
});
