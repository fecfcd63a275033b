import { describe, expect, it } from 'vitest';
import {
  equalPartsTest,
  fisherTest,
  isProven,
  lnEvidence,
  lnGamma,
  ratioOf,
  welchTest,
} from './statistics.rules.ts';

/** A small generator with a seed, so that a failure can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** By counting tables. */
function choose(n: number, k: number): number {
  let product = 1;
  for (let i = 1; i <= k; i += 1) product = (product * (n - k + i)) / i;
  return product;
}
function byCounting(n1: number, k1: number, n2: number, k2: number): number {
  const all = choose(n1 + n2, k1 + k2);
  const of = (k: number): number => (choose(n1, k) * choose(n2, k1 + k2 - k)) / all;
  let sum = 0;
  for (let k = Math.max(0, k1 + k2 - n2); k <= Math.min(n1, k1 + k2); k += 1)
    if (of(k) <= of(k1) * (1 + 1e-9)) sum += of(k);
  return sum;
}

describe('the functions behind', () => {
  it('gamma gives the factorials', () => {
    expect(Math.exp(lnGamma(1))).toBeCloseTo(1, 12);
    expect(Math.exp(lnGamma(11))).toBeCloseTo(3_628_800, 4);
    expect(Math.exp(lnGamma(0.5))).toBeCloseTo(Math.sqrt(Math.PI), 12);
  });
});

describe('Fisher’s exact test', () => {
  it.each([
    [4, 3, 4, 1, 34 / 70],
    [5, 0, 5, 0, 1],
    [10, 3, 10, 9, byCounting(10, 3, 10, 9)],
    [40, 12, 25, 2, byCounting(40, 12, 25, 2)],
  ])('of %i with %i and %i with %i', (size1, converted1, size2, converted2, p) => {
    const test = fisherTest({ size: size1, converted: converted1 }, { size: size2, converted: converted2 });
    expect(test).toBeCloseTo(p, 9);
  });
});

describe('Welch’s test', () => {
  it('of equal variances and sizes is Student’s: t = 2.086 with 20 degrees of freedom has p = 0.05', () => {
    const size = 11;
    const mean = 2.085_963_447 * Math.sqrt(2 / size);
    expect(welchTest({ size, mean, variance: 1 }, { size, mean: 0, variance: 1 })).toBeCloseTo(0.05, 6);
  });

  it('of many is that of the normal distribution', () => {
    const size = 10_000_000;
    const mean = 1.959_963_985 * Math.sqrt(2 / size);
    expect(welchTest({ size, mean, variance: 1 }, { size, mean: 0, variance: 1 })).toBeCloseTo(0.05, 5);
  });

  it('of groups without variance tells whether they differ', () => {
    const group = { size: 5, mean: 1, variance: 0 };
    expect([welchTest(group, group), welchTest(group, { ...group, mean: 2 })]).toEqual([1, 0]);
  });
});

describe('the test of equal parts', () => {
  // Quantiles of the χ² distribution: 3.841 with one, 5.991 with two degrees of freedom for p = 0.05.
  it('of two and three counts', () => {
    const off = Math.sqrt((3.841_458_821 * 1_000) / 2);
    expect(equalPartsTest([1_000 + off, 1_000 - off])).toBeCloseTo(0.05, 8);
    const other = Math.sqrt((5.991_464_547 * 1_000) / 2);
    expect(equalPartsTest([1_000 + other, 1_000 - other, 1_000])).toBeCloseTo(0.05, 8);
    expect(equalPartsTest([0, 0])).toBe(1);
  });
});

describe('evidence', () => {
  it('is one before anything has converted, and the same for both sides', () => {
    expect(lnEvidence({ a: 0, b: 0 })).toBe(0);
    expect(lnEvidence({ a: 70, b: 30 })).toBeCloseTo(lnEvidence({ a: 30, b: 70 }), 9);
    expect(lnEvidence({ a: 90, b: 10, share: 0.9 })).toBeLessThan(0);
  });

  it('proves nothing with fewer than fifty conversions', () => {
    expect([isProven({ a: 49, b: 0 }), isProven({ a: 60, b: 0 })]).toEqual([false, true]);
  });

  it('is exceeded by chance in at most one of a hundred series, though each conversion is looked at', () => {
    const random = randomOf(11);
    const series = 2_000;
    for (const share of [0.5, 0.9]) {
      let proven = 0;
      for (let n = 0; n < series; n += 1) {
        const seen = { a: 0, b: 0, share };
        for (let step = 0; step < 600; step += 1) {
          if (random() < share) seen.a += 1;
          else seen.b += 1;
          if (isProven(seen)) {
            proven += 1;
            break;
          }
        }
      }
      // Three standard deviations above one in a hundred.
      expect(proven).toBeLessThanOrEqual(series * 0.01 + 3 * Math.sqrt(series * 0.01));
    }
  });
});

describe('the ratio of two rates', () => {
  it('has bounds that get closer with what is seen, and hold the ratio', () => {
    const few = ratioOf({ a: 60, b: 40 });
    const many = ratioOf({ a: 6_000, b: 4_000 });
    expect(few.ratio).toBeCloseTo(1.5);
    expect(few.low).toBeLessThan(many.low ?? 0);
    expect(few.high).toBeGreaterThan(many.high ?? 9);
    expect([many.low ?? 0, many.high ?? 0]).toEqual([expect.closeTo(1.4, 1), expect.closeTo(1.6, 1)]);
    expect(ratioOf({ a: 900, b: 100, share: 0.9 }).ratio).toBeCloseTo(1);
  });

  it('has no bound where nobody converted', () => {
    expect(ratioOf({ a: 0, b: 0 })).toEqual({ ratio: null, low: null, high: null });
    expect(ratioOf({ a: 80, b: 0 })).toEqual({ ratio: null, low: expect.any(Number), high: null });
    expect(ratioOf({ a: 0, b: 80 })).toEqual({ ratio: 0, low: null, high: expect.any(Number) });
  });

  it('holds the true ratio at all looks in nineteen of twenty series', () => {
    const random = randomOf(5);
    const [share, ratio] = [0.5, 1.3];
    const ofA = (ratio * share) / (ratio * share + 1 - share);
    const series = 400;
    let missed = 0;
    for (let n = 0; n < series; n += 1) {
      const seen = { a: 0, b: 0, share };
      for (let step = 0; step < 500; step += 1) {
        if (random() < ofA) seen.a += 1;
        else seen.b += 1;
        if (lnEvidence(seen, ratio) >= Math.log(20)) {
          missed += 1;
          break;
        }
      }
    }
    expect(missed).toBeLessThanOrEqual(series * 0.05 + 3 * Math.sqrt(series * 0.05));
  });
});
