import { defineRule } from '../rule.rules.ts';

/** The same was sent within a day: probably by mistake. */
export const repeatedSubjectRule = defineRule({
  name: 'repeated_subject',
  level: 'warning',
  needs: ['sameBefore'],
  check: ({ sameBefore }) =>
    sameBefore === null
      ? []
      : [
          {
            field: 'subject',
            message: `The campaign “${sameBefore.name}” went to the same audience with this subject within the last 24 hours; make sure that it is not sent twice.`,
            details: { campaignId: sameBefore.id, sentAt: sameBefore.sentAt.toISOString() },
          },
        ],
});
