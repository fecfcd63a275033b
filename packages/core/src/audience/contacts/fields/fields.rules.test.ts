import { expect, it } from 'vitest';
import { coverageOf, withSimilar } from './fields.rules.ts';

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

it('fields that are spelled alike name one another', () => {
  const fields = [
    'data.first_name',
    'data.firstName',
    'data.First Name',
    'data.name',
    'email',
    'data.E-Mail',
  ];
  const similar = withSimilar(fields.map((field) => ({ field, type: 'string', coverage: 50 })));
  expect(similar.map((each) => each.similar)).toEqual([
    ['data.firstName', 'data.First Name'],
    ['data.first_name', 'data.First Name'],
    ['data.first_name', 'data.firstName'],
    [],
    ['data.E-Mail'],
    ['email'],
  ]);
});
