import { type Period, type PeriodBound, periodOf } from '../lib/periods.rules.ts';
import { AppError } from './errors.ts';

/**
 * The period of a request in the zone of its project.
 *
 * @param end whether the reader of the period includes the instant at its end
 * @param names of the two fields of the request
 * @throws AppError VALIDATION_ERROR when it ends before it starts
 */
export function orderedPeriod(
  given: { from?: PeriodBound | undefined; to?: PeriodBound | undefined },
  timeZone: string,
  end: 'included' | 'excluded',
  [start, last]: readonly [string, string],
): Period {
  const period = periodOf(given, timeZone, end);
  if (!period.from || !period.to || period.from <= period.to) return period;
  throw new AppError('VALIDATION_ERROR', 'Request validation failed', {
    errors: [{ field: last, code: 'invalid_range', message: `Must not be before ${start}` }],
  });
}
