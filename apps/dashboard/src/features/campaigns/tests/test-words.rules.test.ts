import { expect, it } from 'vitest';
import { adviceInWords, pairInWords, testInBrief, verdictInWords } from './test-words.rules.ts';

const formats = {
  count: (count: number) => count.toLocaleString('en-US'),
  percent: (percent: number) => `${percent} %`,
};
const advice = {
  ...{ audience: 30_000, baseline: 4, perVariant: 12_000, sampleNeeded: 80 },
  ...{ detectableLift: 42.5, enough: false },
};
const setup = { sample: 20, variants: [{}], metric: 'CLICKS' } as const;

it('says what a test needs and finds', () => {
  expect(adviceInWords(advice, formats, setup)).toBe(
    '12,000 people per variant find a rise from 4 % to 4.8 % in 8 of 10 tests. You have 3,000: only a rise to 5.7 % would be found as often. A sample of 80 % would be enough.',
  );
  expect(adviceInWords({ ...advice, baseline: null, enough: true }, formats, setup)).toMatch(
    /from 3 % to 3.6 % .* as there is no history\)\. You have 3,000\.$/,
  );
  expect(adviceInWords({ ...advice, detectableLift: null, sampleNeeded: null }, formats, setup)).toMatch(
    /too few to find any difference\.$/,
  );
});

const pending = {
  ...{ metric: 'CLICKS', startedAt: null, endsAt: null, decidedAt: null, variants: [], pairs: [] },
  ...{ winner: null, decidedBy: null, proven: null, mismatch: false },
} as const;

it.each([
  [
    { state: 'DECIDED', winner: 'B', decidedBy: 'EVIDENCE', proven: true },
    /^Variant B has won: its lead is proven/,
  ],
  [{ state: 'DECIDED', winner: 'A', decidedBy: 'END', proven: false }, /No difference was shown/],
  [{ state: 'DECIDED', winner: 'A', decidedBy: 'USER' }, /^Variant A was chosen/],
  [{ state: 'UNDECIDED', mismatch: true }, /too unequal/],
  [{ state: 'RUNNING' }, /is running/],
] as const)('a verdict in words: %j', (figures, words) => {
  expect(
    verdictInWords({ ...pending, ...figures } as unknown as Parameters<typeof verdictInWords>[0]),
  ).toMatch(words);
});

it.each([
  [{ state: 'DECIDED', winner: 'B', proven: true }, 'B won the test, proven'],
  [{ state: 'DECIDED', winner: 'A', proven: null }, 'A won the test'],
  [{ state: 'UNDECIDED', winner: null, proven: null }, 'Test waits for a decision'],
  [{ state: 'RUNNING', winner: null, proven: null }, 'Test running'],
  [{ state: null, winner: null, proven: null }, ''],
] as const)('a test in a row of a list: %j', (test, words) => {
  expect(testInBrief(test)).toBe(words);
});

it('a pair in words', () => {
  const pair = { key: 'B', against: 'A', ratio: 1.25, low: 0.96, high: 1.63, proven: false } as const;
  expect(pairInWords(pair)).toBe('B has 1.25 times the rate of A (0.96 to 1.63): no difference shown');
  expect(pairInWords({ ...pair, proven: true, high: null })).toBe(
    'B has 1.25 times the rate of A (0.96 to ∞): proven',
  );
  expect(pairInWords({ ...pair, ratio: null })).toBe('B against A: no difference shown');
});
