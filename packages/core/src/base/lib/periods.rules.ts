import { addDays, clockOf } from './time-zones.rules.ts';

/** One end of a period as given: an instant, or a day, `YYYY-MM-DD`. */
export type PeriodBound = Date | string;

/** A period of a request with what it means in the zone of the project. */
export interface Period {
  from: Date | undefined;
  to: Date | undefined;
}

/**
 * A period whose days are whole: a day as its beginning starts with it, a day as its end includes it.
 *
 * @param end whether the reader of the period includes the instant at its end, or stops before it
 */
export function periodOf(
  { from, to }: { from?: PeriodBound | undefined; to?: PeriodBound | undefined },
  timeZone: string,
  end: 'included' | 'excluded',
): Period {
  const clock = clockOf(timeZone);
  const startOf = (bound: string, days: number): number => clock.startOf(addDays(bound, days));
  return {
    from: typeof from === 'string' ? new Date(startOf(from, 0)) : from,
    to: typeof to === 'string' ? endOf(startOf(to, 1), end) : to,
  };
}

/** The end of the last day of the year 9999 has no instant after it. */
const endOf = (next: number, end: 'included' | 'excluded'): Date | undefined => {
  if (!Number.isFinite(next)) return undefined;
  return new Date(end === 'included' ? next - 1 : next);
};
