import type { Services } from '../../base/kernel/index.ts';
import { dropDay, storedDays } from './days.store.ts';
import { dayMs, dayStart } from './requests.rules.ts';

/**
 * Drops the tables of days that are older than `REQUEST_LOG_DAYS`, and then the oldest until the rest is within `REQUEST_LOG_MAX_MB`. That of
 * today stays: processes stop writing entries into it.
 *
 * @returns how many days were dropped
 */
export async function trimRequestLog({ database, config }: Services, now: Date): Promise<number> {
  const { REQUEST_LOG_DAYS: days, REQUEST_LOG_MAX_MB: megabytes } = config;
  const today = dayStart(now.getTime());
  const stored = await storedDays(database);
  let bytes = stored.reduce((sum, day) => sum + day.bytes, 0);
  let dropped = 0;
  for (const { day, bytes: own } of stored) {
    const isOver = day < today - days * dayMs || days === 0;
    const isTooMuch = day < today && bytes > megabytes * 1_048_576;
    if (!isOver && !isTooMuch) continue;
    await dropDay(database, day);
    bytes -= own;
    dropped += 1;
  }
  return dropped;
}

/** For the hourly run that removes what has expired: whole days at a time, whatever the limit of rows is. */
export const sweepRequestLog = (services: Services, now: Date): Promise<number> =>
  trimRequestLog(services, now);
