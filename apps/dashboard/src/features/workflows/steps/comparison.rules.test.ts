import { describe, expect, it } from 'vitest';
import { comparisonInWords } from './comparison.rules.ts';

describe('the comparison of a condition', () => {
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
