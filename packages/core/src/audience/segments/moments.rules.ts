/** When time alone can change the answer of a filter (behaviour B4.8). Pure. */

import type { ValueOperator } from '../../base/lib/value-operators.rules.ts';
import type { OccurrenceWindow, Unit } from './filters.rules.ts';

/** How the answer of an operator on dates changes as time passes. */
export interface Turning {
  /** It may change at a stored instant plus one of these, in milliseconds: at the first at which the answer is another one. */
  shifts: readonly number[];
  /** It may change when a day of the project's zone begins: for days without a time, or for every date. */
  atMidnight: 'never' | 'of days' | 'always';
}

const still: Turning = { shifts: [], atMidnight: 'never' };

const unitMs: Record<Unit, number> = { days: 86_400_000, hours: 3_600_000, minutes: 60_000 };

/** A window that begins `ms` before now includes its beginning, so what leaves it does so a millisecond later. Edges are whole milliseconds. */
const leavingAfter = (amount: number, unit: Unit): number => Math.ceil(amount * unitMs[unit]) + 1;
const enteringBefore = (amount: number, unit: Unit): number => -Math.floor(amount * unitMs[unit]);

/** Of an operator on values. Comparisons with a given date do not change: neither side of them moves. */
export function turningOf(operator: ValueOperator, value: unknown, unit: Unit): Turning {
  const amount = Number(value);
  const atMidnight = unit === 'days' ? 'of days' : 'never';
  switch (operator) {
    case 'within':
      return { shifts: [0, leavingAfter(amount, unit)], atMidnight };
    case 'olderThan':
      return { shifts: [leavingAfter(amount, unit)], atMidnight };
    case 'withinNext':
      return { shifts: [enteringBefore(amount, unit), 1], atMidnight };
    case 'laterThan':
      return { shifts: [enteringBefore(amount, unit)], atMidnight };
    case 'onDay':
    case 'anniversaryWithinNext':
      return { shifts: [], atMidnight: 'always' };
    default:
      return still;
  }
}

export const isStill = ({ shifts, atMidnight }: Turning): boolean =>
  shifts.length === 0 && atMidnight === 'never';

/** How long after an occurrence it begins to count, and how long after it it counts no longer, in milliseconds; null for never. */
export interface CountingTime {
  enters: number | null;
  leaves: number | null;
}

/** Of the window of a filter. One between given dates does not move. */
export const countingTime = ({ last, olderThan, unit = 'days' }: OccurrenceWindow): CountingTime => ({
  enters: olderThan === undefined ? null : leavingAfter(olderThan, unit),
  leaves: last === undefined ? null : leavingAfter(last, unit),
});

/** Of the short forms: those of the last `amount` units count. */
export const countingWithin = (amount: number, unit: Unit): CountingTime => ({
  enters: null,
  leaves: leavingAfter(amount, unit),
});
