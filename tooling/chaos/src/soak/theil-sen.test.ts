import fc from '@postrider/vitest/fast-check.ts';
import { expect, it } from 'vitest';
import { theilSenSlope } from './theil-sen.ts';

it('is the slope of points on a line, also when a quarter of them are far off', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -100, max: 100, noNaN: true }),
      fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 0, maxLength: 10 }),
      (slope, outliers) => {
        const points = Array.from({ length: 50 }, (_, x): [number, number] => [x, slope * x + 3]);
        for (const [index, y] of outliers.entries()) points[index * 5] = [index * 5, y];
        expect(theilSenSlope(points)).toBeCloseTo(slope, 6);
      },
    ),
  );
});

it('is 0 without two points', () => {
  expect(theilSenSlope([])).toBe(0);
  expect(theilSenSlope([[1, 2]])).toBe(0);
});

it('of very many points is that of some of them', () => {
  const points = Array.from({ length: 5_000 }, (_, x): [number, number] => [x, 2 * x]);
  expect(theilSenSlope(points)).toBe(2);
});
