import { defineRule } from '../rule.rules.ts';

const shown = (number: number): string => number.toLocaleString('en-US');

/** With few recipients a test finds large differences only. */
export const smallSampleRule = defineRule({
  name: 'small_sample',
  level: 'warning',
  needs: ['test'],
  check: ({ test }) => {
    if (test === null || test.sample === null) return [];
    const { has, needed, detectableLift } = test.sample;
    if (needed !== null && has >= needed) return [];
    const finds =
      detectableLift === null
        ? 'they are too few to find any difference'
        : `only a rise by ${shown(detectableLift)} percent would be found in 8 of 10 tests`;
    return [
      {
        field: 'test.sample',
        message: `Each variant gets about ${shown(has)} recipients: ${finds}. Enlarge the sample, or compare fewer variants.`,
        details: { has, needed, detectableLift },
      },
    ];
  },
});
