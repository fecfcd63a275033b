import { plural } from '../../../lib/format.ts';

export const durationUnits = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;
export type DurationUnit = keyof typeof durationUnits;

/** Seconds in the largest unit that divides them evenly. */
export function splitDuration(seconds: number): { amount: number; unit: DurationUnit } {
  const units = Object.keys(durationUnits) as DurationUnit[];
  const unit =
    units.find((each) => seconds >= durationUnits[each] && seconds % durationUnits[each] === 0) ?? 'seconds';
  return { amount: seconds / durationUnits[unit], unit };
}

/** 172800 as `2 days`. */
export function durationWords(seconds: number): string {
  const { amount, unit } = splitDuration(seconds);
  return plural(amount, unit.replace(/s$/, ''));
}
