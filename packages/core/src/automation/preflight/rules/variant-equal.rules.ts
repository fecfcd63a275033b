import { defineRule } from '../rule.rules.ts';

/** A variant that is as the campaign itself compares nothing. */
export const variantEqualRule = defineRule({
  name: 'variant_equal',
  level: 'error',
  needs: ['test'],
  check: ({ test }) =>
    (test?.equal ?? []).map(({ index, key }) => ({
      field: `test.variants.${index}`,
      message: `The variant ${key} is the same as A; change it, or remove it.`,
      details: { variant: key },
    })),
});
