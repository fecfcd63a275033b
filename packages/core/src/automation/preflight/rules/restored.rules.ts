import { defineRule } from '../rule.rules.ts';

/** A draft that was sent in the span that a restore lost is a draft again: sent now, it would reach the same people a second time. */
export const restoredRule = defineRule({
  name: 'restored',
  level: 'warning',
  needs: ['restored'],
  check: ({ restored }) =>
    restored === null
      ? []
      : [
          {
            field: null,
            message: `The database was restored to ${restored.dataUntil.toISOString()}, and what happened until ${restored.lostUntil.toISOString()} is not in it: make sure that this campaign was not sent in that time.`,
            details: {
              dataUntil: restored.dataUntil.toISOString(),
              lostUntil: restored.lostUntil.toISOString(),
            },
          },
        ],
});
