import { countedOf } from '../counted.rules.ts';
import { defineRule } from '../rule.rules.ts';

/** More recipients than this share see a gap in the text. */
const mostPercent = 1;

/** Variables without a fallback that some recipients have no value for. */
export const missingValuesRule = defineRule({
  name: 'missing_values',
  level: 'warning',
  needs: ['reading', 'traits'],
  check: ({ reading: { bare }, traits: { of, lacking, isEstimated } }) =>
    bare.flatMap(({ name, field, offset }) => {
      const count = lacking[name] ?? 0;
      if (count * 100 <= of * mostPercent) return [];
      return [
        {
          field,
          offset,
          message: `${countedOf(count, isEstimated, 'recipient has', 'recipients have')} no value for {{${name}}}, so their email has a gap there; add a fallback such as {{${name} ?? …}}.`,
          details: { name, count, of, ...(isEstimated && { estimated: true }) },
        },
      ];
    }),
});
