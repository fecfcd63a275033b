import { defineRule } from '../rule.rules.ts';

/** Transactional email reaches contacts who want no news, so news must not be sent as such. */
export const transactionalAudienceRule = defineRule({
  name: 'transactional_audience',
  level: 'warning',
  needs: ['content', 'unwilling'],
  check: ({ content: { type }, unwilling: { count, isEstimated } }) =>
    type !== 'TRANSACTIONAL' || count === 0
      ? []
      : [
          {
            field: 'type',
            message: `${isEstimated ? 'About ' : ''}${count === 1 ? '1 contact of the audience is' : `${count.toLocaleString('en-US')} contacts of the audience are`} not subscribed and will get it all the same, because it is transactional; choose the type Marketing for news and offers.`,
            details: { count, ...(isEstimated && { estimated: true }) },
          },
        ],
});
