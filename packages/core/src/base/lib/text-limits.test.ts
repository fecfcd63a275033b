import { expect, it } from 'vitest';
import { z } from 'zod';
import { createTemplateInput } from '../../content/templates/templates.schema.ts';
import { clearable, notGiven, optionalText, requiredText } from '../kernel/fields.ts';
import { limitsOf, textLimits } from './text-limits.ts';

it.each([
  ['required text', requiredText(100), { minLength: 1, maxLength: 100 }],
  [
    'required text with a further rule',
    requiredText(100).refine(() => true),
    { minLength: 1, maxLength: 100 },
  ],
  ['optional text', optionalText(500), { maxLength: 500 }],
  ['text that null clears', clearable(z.string().trim().max(500)), { maxLength: 500 }],
  ['text that may be left out', notGiven(requiredText(9)), { minLength: 1, maxLength: 9 }],
  ['text that is changed before it is read', z.preprocess(String, z.string().max(3)), { maxLength: 3 }],
])('%s has the limits that its schema checks', (_what, schema, limits) => {
  expect(limitsOf(schema)).toEqual(limits);
});

it('reads the limits of an input field, also if the whole input is transformed', () => {
  const input = z.object({ name: requiredText(100), count: z.int() });
  expect(textLimits(input, 'name')).toEqual({ minLength: 1, maxLength: 100 });
  expect(
    textLimits(
      input.transform(({ name }) => name),
      'name',
    ).maxLength,
  ).toBe(100);
});

it('reads those of a field of the content, which takes more than a text', () => {
  expect(textLimits(createTemplateInput, 'replyTo').maxLength).toBe(10_000);
  expect(textLimits(createTemplateInput, 'from').maxLength).toBe(2_000);
});

it('refuses a field without a limit, so that no form shows a limit that is not checked', () => {
  expect(() => textLimits(z.object({ count: z.int() }), 'count')).toThrow('count has no length limit');
});
