import { describe, expect, it } from 'vitest';
import { axisEnd } from './axis.rules.ts';

describe('the end of the axis', () => {
  it.each([
    [0, 4],
    [4, 4],
    [5, 6],
    [7, 8],
    [100, 100],
    [101, 120],
    [1_310, 1_600],
    [4_750, 5_000],
    [999_999, 1_000_000],
  ])('for a largest value of %i is %i', (largest, end) => {
    expect(axisEnd(largest)).toBe(end);
  });
});
