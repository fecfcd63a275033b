import { quarterMs } from '../../base/figures/parts.rules.ts';
import { type Run, runsOf } from './buckets.rules.ts';

const hourMs = 3_600_000;
const hourlyMs = 72 * hourMs;
const longestMs = 90 * 24 * hourMs;

export interface ReportRuns {
  hours: Run[];
  days: Run[];
  /** where the last one ends */
  end: Date;
}

/**
 * How the report of a campaign divides its time: hours for the first 72, then days, until now and at most 90 days after sending began.
 * A quarter of an hour belongs to one of the two.
 */
export function reportRuns(sentAt: Date, now: Date, timeZone: string): ReportRuns {
  const start = Math.floor(sentAt.getTime() / quarterMs) * quarterMs;
  const end = Math.max(start + quarterMs, Math.min(now.getTime(), start + longestMs));
  const change = Math.min(end, start + hourlyMs);
  const hours = runsOf({ from: new Date(start), to: new Date(change) }, timeZone, 'hour');
  const days = end > change ? runsOf({ from: new Date(change), to: new Date(end) }, timeZone, 'day') : [];
  return { hours, days, end: new Date(Math.ceil(end / quarterMs) * quarterMs) };
}
