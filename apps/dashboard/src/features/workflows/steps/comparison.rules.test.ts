import { describe, expect, it } from 'vitest';
import { comparisonInWords, readComparison } from './comparison.rules.ts';

const read = (fields: Record<string, string>) =>
  readComparison(
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`config.${name}`, value])),
    'config',
  );

describe('the comparison of a condition', () => {
  it.each([
    [{ operator: 'isEmpty', value: 'x' }, { operator: 'isEmpty' }],
    [
      { operator: 'equals', type: 'number', value: '5' },
      { operator: 'equals', value: 5 },
    ],
    [
      { operator: 'startsWith', value: ' a' },
      { operator: 'startsWith', value: ' a' },
    ],
    [
      { operator: 'isAnyOf', type: 'text', value: ' pro \n\n5' },
      { operator: 'isAnyOf', value: ['pro', '5'] },
    ],
    [
      { operator: 'isNoneOf', type: 'number', value: '3\n2.5' },
      { operator: 'isNoneOf', value: [3, 2.5] },
    ],
    [
      { operator: 'hasAnyOf', value: ' vip, beta,,vip' },
      { operator: 'hasAnyOf', value: ['vip', 'beta'] },
    ],
    [
      { operator: 'withinNext', value: '7', unit: 'hours' },
      { operator: 'withinNext', value: 7, unit: 'hours' },
    ],
    [
      { operator: 'onDay', value: '-1' },
      { operator: 'onDay', value: -1 },
    ],
  ])('%j is %j', (fields, comparison) => {
    expect(read(fields)).toEqual(comparison);
  });

  it('is not read with words in place of numbers', () => {
    expect(() => read({ operator: 'onDay', value: 'soon' })).toThrow('Must be a number');
    expect(() => read({ operator: 'isAnyOf', type: 'number', value: '3\nfour' })).toThrow('Must be a number');
  });

  it.each([
    [{ operator: 'isNotEmpty' as const }, 'is not empty'],
    [{ operator: 'olderThan' as const, value: 7, unit: 'hours' as const }, 'is more than 7 hours ago'],
    [{ operator: 'onDay' as const, value: 2 }, 'is 2 days from today'],
    [{ operator: 'isAnyOf' as const, value: ['a', 5] }, 'is any of ["a",5]'],
    [{ operator: 'hasNoneOf' as const, value: ['vip'] }, 'has none of ["vip"]'],
    [{ operator: 'equals' as const, value: null }, 'is not set'],
  ])('%j says %s', (comparison, words) => {
    expect(comparisonInWords(comparison)).toBe(words);
  });
});
