import { normalQuantile } from '../../../base/lib/statistics.rules.ts';

/** What of a test is to be found: a rise by `lift` percent of a rate of `baseline` percent. */
export interface Sought {
  baseline: number;
  lift: number;
  /** A included */
  variants: number;
}

/** What looks at any time cost in people, beside a test at the end alone. */
const lookingCosts = 1.1;

/**
 * How many recipients each variant needs so that a rise of this size is found in 8 of 10 tests (behaviour B13.12); null for a rate that would
 * be 100 % or more.
 */
export function neededPerVariant({ baseline, lift, variants }: Sought): number | null {
  const p = baseline / 100;
  const raised = p * (1 + lift / 100);
  if (p <= 0 || raised >= 1) return null;
  const comparisons = variants - 1;
  const z = normalQuantile(1 - 0.02 / comparisons) + normalQuantile(1 - 0.2 / comparisons);
  const variance = p * (1 - p) + raised * (1 - raised);
  return Math.ceil((lookingCosts * z ** 2 * variance) / (raised - p) ** 2);
}

/** The largest rise, in percent, that is worth naming. */
const mostLift = 500;

/** The smallest rise, in percent, that is found in 8 of 10 tests with this number of recipients per variant; null for none. */
export function detectableLift(
  perVariant: number,
  { baseline, variants }: Omit<Sought, 'lift'>,
): number | null {
  const needs = (lift: number): number =>
    neededPerVariant({ baseline, lift, variants }) ?? Number.POSITIVE_INFINITY;
  // Rates stay below 100 %.
  const most = Math.min(mostLift, (100 / baseline - 1) * 100 - 1e-6);
  if (baseline <= 0 || most <= 0 || needs(most) > perVariant) return null;
  let [low, high] = [0, most];
  for (let halved = 0; halved < 60; halved += 1) {
    const middle = (low + high) / 2;
    if (needs(middle) <= perVariant) high = middle;
    else low = middle;
  }
  return Math.round(high * 100) / 100;
}

/** Percent of the audience that the variants need together, rounded up; null where the audience is too small. */
export function sampleNeeded(perVariant: number | null, variants: number, audience: number): number | null {
  if (perVariant === null || audience === 0) return null;
  const percent = Math.ceil((perVariant * variants * 100) / audience);
  return percent > 100 ? null : Math.max(1, percent);
}

/** Rates that are taken where there is no history, in percent. */
export const usualRates = { CLICKS: 3, OPENS: 20, GOAL: 1, REVENUE: 1 } as const;
