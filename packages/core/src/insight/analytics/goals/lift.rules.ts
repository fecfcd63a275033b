import { percent } from '../../../base/figures/email-figures.rules.ts';
import { isProven, ratioOf } from '../../../base/lib/statistics.rules.ts';

export interface HeldOutGroups {
  recipients: number;
  recipientsConverted: number;
  heldOut: number;
  heldOutConverted: number;
  /** the part of the draw that goes on */
  share: number | null;
}

/**
 * What those who went on did more often than those who were held out. The draw does not depend on what people do, so that each who converts is
 * one of the first by the share of the draw, if there is no difference.
 *
 * @returns null without a holdout that held out some and let others go on
 */
export function liftOf({ recipients, recipientsConverted, heldOut, heldOutConverted, share }: HeldOutGroups) {
  if (share === null || share <= 0 || share >= 1) return null;
  const conversions = { a: recipientsConverted, b: heldOutConverted, share };
  const { ratio, low, high } = ratioOf(conversions);
  return {
    recipients,
    heldOut,
    rate: percent(recipientsConverted, recipients),
    heldOutRate: percent(heldOutConverted, heldOut),
    ratio: rounded(ratio),
    low: rounded(low),
    high: rounded(high),
    proven: isProven(conversions),
  };
}

/** To four decimals, so that what comes of adding doubles is not shown. */
const rounded = (ratio: number | null): number | null =>
  ratio === null ? null : Math.round(ratio * 10_000) / 10_000;
