import type { CampaignStats, TestAdvice } from '../../../lib/api.ts';

export type TestFigures = NonNullable<CampaignStats['test']>;

interface Formats {
  count: (count: number) => string;
  percent: (percent: number) => string;
}

/** The rise that advice is about. */
const soughtLift = 20;
/** Rates that are taken without history. */
const assumed = { CLICKS: 3, OPENS: 20, GOAL: 1, REVENUE: 1 } as const;

const round = (value: number): number => Math.round(value * 10) / 10;

/** How many people a test needs, and what it would find with those that there are. */
export function adviceInWords(
  { audience, baseline, perVariant, detectableLift, enough, sampleNeeded }: TestAdvice,
  { count, percent }: Formats,
  {
    sample,
    variants,
    metric,
  }: { sample: number; variants: readonly unknown[]; metric: keyof typeof assumed },
): string {
  const has = Math.floor((audience * sample) / 100 / (variants.length + 1));
  const rate = baseline || assumed[metric];
  const usual = baseline ? '' : ' (a usual rate, as there is no history)';
  if (perVariant === null) return 'The rate is too high to rise by a fifth.';
  const needs = `${count(perVariant)} people per variant find a rise from ${percent(round(rate))} to ${percent(round(rate * (1 + soughtLift / 100)))} in 8 of 10 tests${usual}.`;
  if (enough) return `${needs} You have ${count(has)}.`;
  const finds =
    detectableLift === null
      ? 'too few to find any difference.'
      : `only a rise to ${percent(round(rate * (1 + detectableLift / 100)))} would be found as often.`;
  const wider = sampleNeeded === null ? '' : ` A sample of ${percent(sampleNeeded)} would be enough.`;
  return `${needs} You have ${count(has)}: ${finds}${wider}`;
}

/** What is decided, and by what. */
export function verdictInWords({ state, winner, decidedBy, proven, mismatch }: TestFigures): string {
  if (state === 'DECIDED') {
    if (decidedBy === 'USER') return `Variant ${winner} was chosen.`;
    return proven
      ? `Variant ${winner} has won: its lead is proven.`
      : `Variant ${winner} was ahead at the end. No difference was shown.`;
  }
  if (state === 'UNDECIDED')
    return mismatch
      ? 'The test has ended, and its variants arrived in parts too unequal for chance: something else than their content may have been compared. Choose a variant for the rest.'
      : 'The test has ended. Choose a variant for the rest.';
  return state === 'RUNNING' ? 'The test is running.' : 'The test has not begun.';
}

/** For a row of a list: how far the test is, or its winner. Empty before it runs. */
export function testInBrief({
  state,
  winner,
  proven,
}: Pick<TestFigures, 'state' | 'winner' | 'proven'>): string {
  if (state === 'DECIDED') return `${winner} won the test${proven ? ', proven' : ''}`;
  return { RUNNING: 'Test running', UNDECIDED: 'Test waits for a decision', null: '' }[state ?? 'null'];
}

/** “1.25 times the rate of A (0.96 to 1.63): no difference shown”. */
export function pairInWords({
  key,
  against,
  ratio,
  low,
  high,
  proven,
}: TestFigures['pairs'][number]): string {
  const shown = proven ? 'proven' : 'no difference shown';
  if (ratio === null) return `${key} against ${against}: ${shown}`;
  const bounds =
    low === null && high === null ? '' : ` (${low?.toFixed(2) ?? '0'} to ${high?.toFixed(2) ?? '∞'})`;
  return `${key} has ${ratio.toFixed(2)} times the rate of ${against}${bounds}: ${shown}`;
}
