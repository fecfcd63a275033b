import { defineRule } from '../rule.rules.ts';

const mostTimes = 3;

/** Mailbox providers distrust senders who suddenly send far more than before; and it may be the wrong audience. */
export const audienceJumpRule = defineRule({
  name: 'audience_jump',
  level: 'warning',
  needs: ['size', 'largestBefore'],
  check: ({ size: { count, isEstimated }, largestBefore }) =>
    largestBefore === 0 || count <= largestBefore * mostTimes
      ? []
      : [
          {
            field: 'audienceType',
            message: `The audience has ${isEstimated ? 'about ' : ''}${count.toLocaleString('en-US')} recipients, more than ${mostTimes} times as many as any campaign before (${largestBefore.toLocaleString('en-US')}); make sure that it is the right one, and begin carefully.`,
            details: { count, largestBefore, ...(isEstimated && { estimated: true }) },
          },
        ],
});
