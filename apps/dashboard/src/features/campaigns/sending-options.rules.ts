import type { Campaign } from '../../lib/api.ts';

export type Options = Pick<Campaign, 'holdout' | 'pace' | 'guard' | 'exemptFromLimits' | 'utm'>;

/** Whether a campaign is sent as most are: to all of its audience, as fast as it may, and pausing by itself. */
export const isUsual = ({ holdout, pace, guard, exemptFromLimits, utm }: Options): boolean =>
  holdout === 0 && pace === null && guard && !exemptFromLimits && utm === null;
