import { expect, it } from 'vitest';
import { coverageOf } from './fields.rules.ts';

it.each([
  [0, 0, 0],
  [0, 10, 0],
  [1, 100_000, 1],
  [1, 3, 33],
  [5_000, 5_002, 99],
  [5_002, 5_002, 100],
])('%i of %i contacts are a coverage of %i percent', (having, total, percent) => {
  expect(coverageOf(having, total)).toBe(percent);
});
