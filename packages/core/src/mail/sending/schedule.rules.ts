import { instantOf, readIsoDate } from '../../base/lib/dates.rules.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** How far ahead an email can be scheduled. */
const mostDays = 365;
/** A time that has passed less than this ago sends at once: requests take a while, and clocks differ. */
const lateMs = minuteMs;

/** Why a time cannot be used, as the code of a field, with its message. */
export const sendTimeProblems = {
  invalid_date: 'Not an instant: give a date with a time and a time zone, or epoch milliseconds',
  invalid_range: `Must lie between now and ${mostDays} days ahead`,
} as const;

/**
 * The time of a request to send later (behaviour B15.1). A day alone, or a time without a zone, is no instant: a wrong hour cannot be
 * taken back.
 *
 * @returns the code of the problem of any other value
 */
export function readSendTime(value: string | number, now: Date): Date | keyof typeof sendTimeProblems {
  const given = typeof value === 'string' ? value.trim() : value;
  if (typeof given === 'string' && (readIsoDate(given)?.offset ?? null) === null) return 'invalid_date';
  const at = instantOf(given);
  if (at === null) return 'invalid_date';
  const aheadMs = at.getTime() - now.getTime();
  return aheadMs < -lateMs || aheadMs > mostDays * dayMs ? 'invalid_range' : at;
}

/** The message for two different times under the two names. */
export const twoTimes = 'scheduledAt and scheduledFor are the same field: give one of the two';
