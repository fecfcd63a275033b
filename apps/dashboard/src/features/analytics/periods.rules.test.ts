import { expect, it } from 'vitest';
import { periods, queryOf } from './periods.rules.ts';

const now = new Date(2026, 2, 31, 9, 41, 12);

it.each([
  ['1', new Date(2026, 2, 30, 10)],
  ['7', new Date(2026, 2, 25)],
  ['30', new Date(2026, 2, 2)],
  ['90', new Date(2026, 0, 1)],
] as const)('the period of %s days starts with a whole hour or day of the browser', (name, from) => {
  expect(queryOf(name, now).from).toBe(from.toISOString());
});

it('every period is one that the API accepts: at most 90 days', () => {
  for (const { value } of periods) {
    const length = now.getTime() - Date.parse(queryOf(value, now).from);
    expect(length).toBeLessThanOrEqual(90 * 86_400_000);
  }
});
