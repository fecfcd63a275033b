import { describe, expect, it } from 'vitest';
import { detectableLift, neededPerVariant, sampleNeeded } from './advice.rules.ts';
import { keyOfNumber, variantOfDraw } from './variants.rules.ts';
import {
  isMismatch,
  isProvenAtEnd,
  isProvenByEvidence,
  leaderOf,
  pairsOf,
  type VariantResult,
  verdictOf,
} from './verdict.rules.ts';

/** Tests of each simulation. The promise of 2,000 is shown with `SIMULATED_TESTS=2000`. */
const simulated = Number(process.env['SIMULATED_TESTS'] ?? 300);

/** Numbers from 0 to 1, the same in each run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How many of `size` convert: by the normal approximation where that is close, so that a simulation takes no time. */
function binomial(size: number, rate: number, random: () => number): number {
  const mean = size * rate;
  if (mean < 30) {
    let count = 0;
    for (let n = 0; n < size; n += 1) if (random() < rate) count += 1;
    return count;
  }
  const normal = Math.sqrt(-2 * Math.log(random() || 1e-12)) * Math.cos(2 * Math.PI * random());
  return Math.max(0, Math.min(size, Math.round(mean + normal * Math.sqrt(mean * (1 - rate)))));
}

const nothing = { sum: 0, squares: 0 };
const result = (number: number, accepted: number, converted: number, value = nothing): VariantResult => ({
  ...{ key: keyOfNumber(number), accepted, converted, value },
});

/** A test with these rates that is looked at every hour. @returns what the last look says */
function runTest(rates: readonly number[], size: number, looks: number, random: () => number) {
  const converted = rates.map(() => 0);
  for (let look = 1; look <= looks; look += 1) {
    rates.forEach((rate, index) => {
      converted[index] = (converted[index] ?? 0) + binomial(Math.round(size / looks), rate, random);
    });
    const results = rates.map((_, index) => result(index + 1, size, converted[index] ?? 0));
    const verdict = verdictOf({ metric: 'CLICKS', decide: 'AUTOMATIC' }, results, look === looks);
    if (verdict.kind === 'decided') return verdict;
  }
  throw new Error('a test was not decided');
}

describe('a test without a difference', () => {
  it.each([
    [2, 0.04],
    [4, 0.1],
    [8, 0.04],
  ])(
    'of %i variants with a rate of %d, looked at every hour, is proven in at most 5 of 100',
    (variants, rate) => {
      const random = randomOf(variants * 1_000 + 7);
      let proven = 0;
      for (let n = 0; n < simulated; n += 1)
        if (
          runTest(
            Array.from({ length: variants }, () => rate),
            6_000,
            12,
            random,
          ).proven
        )
          proven += 1;
      // With a small number of tests, what chance adds to 5 %.
      expect(proven / simulated).toBeLessThanOrEqual(
        0.05 + 2 * Math.sqrt((0.05 * 0.95) / simulated) * Number(simulated < 2_000),
      );
    },
  );
});

describe('a test with a lift of 20 %', () => {
  it('of the advised size is proven in at least 8 of 10, and its winner is the better one', () => {
    const random = randomOf(11);
    const size = neededPerVariant({ baseline: 4, lift: 20, variants: 2 }) ?? 0;
    const tests = Math.max(100, Math.round(simulated / 4));
    let proven = 0;
    for (let n = 0; n < tests; n += 1) {
      const verdict = runTest([0.04, 0.048], size, 24, random);
      if (verdict.proven && verdict.winner === 'B') proven += 1;
    }
    expect(proven / tests).toBeGreaterThanOrEqual(0.8 - 2 * Math.sqrt(0.16 / tests) * Number(tests < 500));
  });
});

describe('a verdict', () => {
  const automatic = { metric: 'CLICKS', decide: 'AUTOMATIC' } as const;

  it('needs 50 conversions in all before the end', () => {
    expect(isProvenByEvidence('CLICKS', [result(1, 1_000, 0), result(2, 1_000, 49)])).toBe(false);
    expect(isProvenByEvidence('CLICKS', [result(1, 1_000, 0), result(2, 1_000, 50)])).toBe(true);
  });

  it('of equal variants is the first one, and nothing is proven', () => {
    const results = [result(1, 500, 20), result(2, 500, 20), result(3, 500, 20)];
    expect(leaderOf('CLICKS', results).key).toBe('A');
    expect(verdictOf(automatic, results, false)).toEqual({ kind: 'goes_on' });
    expect(verdictOf(automatic, results, true)).toEqual({
      ...{ kind: 'decided', winner: 'A', by: 'END', proven: false },
    });
  });

  it('must be ahead of every other variant', () => {
    const results = [result(1, 5_000, 40), result(2, 5_000, 200), result(3, 5_000, 195)];
    expect(isProvenByEvidence('CLICKS', results)).toBe(false);
    expect(isProvenAtEnd('CLICKS', results)).toBe(false);
    expect(isProvenAtEnd('CLICKS', results.slice(0, 2))).toBe(true);
  });

  it('of 52 to 48 among 20,000 is a mismatch, which decides nothing by itself', () => {
    const results = [result(1, 10_400, 50), result(2, 9_600, 300)];
    expect(isMismatch(results)).toBe(true);
    expect(isMismatch([result(1, 10_050, 0), result(2, 9_950, 0)])).toBe(false);
    expect(verdictOf(automatic, results, false)).toEqual({ kind: 'goes_on' });
    expect(verdictOf(automatic, results, true)).toEqual({ kind: 'undecided', mismatch: true });
  });

  it('of a manual test is a person’s', () => {
    const results = [result(1, 5_000, 50), result(2, 5_000, 400)];
    const manual = { metric: 'CLICKS', decide: 'MANUAL' } as const;
    expect(verdictOf(manual, results, false)).toEqual({ kind: 'goes_on' });
    expect(verdictOf(manual, results, true)).toEqual({ kind: 'undecided', mismatch: false });
  });

  it('of revenue compares the value per recipient, at the end, and needs 100 conversions of each', () => {
    const valued = (number: number, converted: number, mean: number): VariantResult =>
      result(number, 5_000, converted, { sum: converted * mean, squares: converted * mean ** 2 * 1.2 });
    const clear = [valued(1, 150, 20), valued(2, 150, 60)];
    expect(isProvenByEvidence('REVENUE', clear)).toBe(false);
    expect(isProvenAtEnd('REVENUE', clear)).toBe(true);
    expect(leaderOf('REVENUE', clear).key).toBe('B');
    expect(isProvenAtEnd('REVENUE', [valued(1, 99, 20), valued(2, 150, 60)])).toBe(false);
    expect(isProvenAtEnd('REVENUE', [valued(1, 150, 20), valued(2, 150, 20.1)])).toBe(false);
  });

  it('of a test without recipients is that of equal variants', () => {
    const empty = [result(1, 0, 0), result(2, 0, 0)];
    expect(verdictOf(automatic, empty, true)).toMatchObject({ winner: 'A', proven: false });
    expect(isProvenAtEnd('REVENUE', empty)).toBe(false);
  });

  it('shows the ratio with its bounds', () => {
    const [pair] = pairsOf('CLICKS', [result(1, 5_000, 100), result(2, 5_000, 150)]);
    expect(pair).toMatchObject({ key: 'B', against: 'A', ratio: 1.5, proven: false });
    expect(pair?.low).toBeLessThan(1.5);
    expect(pair?.high).toBeGreaterThan(1.5);
  });
});

describe('advice', () => {
  it('of 7,900 people per variant finds a rise from 4 % to 5 %', () => {
    const needed = neededPerVariant({ baseline: 4, lift: 25, variants: 2 }) ?? 0;
    expect(needed).toBe(7_922);
    expect(detectableLift(needed, { baseline: 4, variants: 2 })).toBeCloseTo(25, 1);
    expect(detectableLift(3_000, { baseline: 4, variants: 2 })).toBeCloseTo(41.9, 0);
  });

  it('of rates that cannot rise, and of too few people, is none', () => {
    expect(neededPerVariant({ baseline: 60, lift: 100, variants: 2 })).toBeNull();
    expect(detectableLift(2, { baseline: 4, variants: 2 })).toBeNull();
    expect(sampleNeeded(7_922, 2, 30_000)).toBe(53);
    expect(sampleNeeded(7_922, 2, 10_000)).toBeNull();
    expect(sampleNeeded(null, 2, 10_000)).toBeNull();
  });
});

describe('the draw', () => {
  it('gives equal parts of the sample to the variants, and none beyond them', () => {
    const of = (draw: number) => variantOfDraw(draw, { holdout: 10, sample: 20, variants: 3 });
    const counts = new Map<number | null, number>();
    const draws = 100_000;
    for (let n = 0; n < draws; n += 1) {
      const number = of(Math.floor((n / draws) * 2 ** 32));
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    expect(Math.round((counts.get(null) ?? 0) / 100)).toBe(100);
    expect([1, 2, 3].map((number) => Math.round((counts.get(number) ?? 0) / 100))).toEqual([60, 60, 60]);
    expect(Math.round((counts.get(0) ?? 0) / 100)).toBe(720);
    expect(variantOfDraw(2 ** 32 - 1, { holdout: 0, sample: 100, variants: 8 })).toBe(8);
  });
});
