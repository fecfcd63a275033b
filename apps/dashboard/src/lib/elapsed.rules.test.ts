import { describe, expect, it } from 'vitest';
import { elapsedInWords } from './elapsed.rules.ts';

describe('the duration of a step', () => {
  it.each([
    [0, '0 ms'],
    [35, '35 ms'],
    [1_449, '1.4 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [125_000, '2 min 5 s'],
    [3_600_000 + 59_000, '1 h'],
    [3 * 86_400_000 + 4 * 3_600_000 + 1, '3 d 4 h'],
  ])('%i ms is %s', (ms, words) => {
    const from = '2026-03-01T10:00:00.000Z';
    expect(elapsedInWords(from, new Date(Date.parse(from) + ms).toISOString())).toBe(words);
  });

  it('is never negative', () => {
    expect(elapsedInWords('2026-03-01T10:00:01.000Z', '2026-03-01T10:00:00.000Z')).toBe('0 ms');
  });
});
