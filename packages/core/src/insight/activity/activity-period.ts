import { orderedPeriod } from '../../base/kernel/index.ts';
import type { Period, PeriodBound } from '../../base/lib/index.ts';

interface GivenPeriod {
  startDate?: PeriodBound | undefined;
  endDate?: PeriodBound | undefined;
}

/** The period of a request about activity; both ends belong to it. @throws AppError VALIDATION_ERROR when it ends before it starts */
export const activityPeriod = ({ startDate, endDate }: GivenPeriod, timeZone: string): Period =>
  orderedPeriod({ from: startDate, to: endDate }, timeZone, 'included', ['startDate', 'endDate']);
