import type { Services } from '../../base/kernel/services.ts';
import { limitOf } from '../../base/slices/index.ts';
import { removeExpired, removeRecipientLogs, sweepBegin } from '../ledger/index.ts';

/**
 * Removes emails that are older than `EMAIL_DAYS` (behaviour B8.5), a piece with each call. Old emails that have to stay, such as those of a
 * campaign that was paused for a year, are passed over, once in a run.
 */
export function createEmailSweep() {
  let swept = sweepBegin;
  return {
    prepare: async (): Promise<void> => {
      swept = sweepBegin;
    },
    /** Looks at `limit` old emails, and at more until it finds one to remove. @returns how many were removed; 0 when none is left */
    async remove({ config, database }: Services, now: Date, limit: number): Promise<number> {
      const { EMAIL_DAYS: days } = config;
      if (days === undefined) return 0;
      const before = limitOf(days, now);
      for (;;) {
        const { removed, next } = await removeExpired(database.durable, {
          ...{ before, now, limit },
          after: swept,
        });
        swept = next ?? swept;
        if (removed > 0 || next === null) return removed;
      }
    },
  };
}

/** Removes a batch of rows that list recipients of campaigns whose emails were all removed. @returns how many */
export const sweepRecipientLogs = (
  { config, database }: Services,
  _now: Date,
  limit: number,
): Promise<number> =>
  config.EMAIL_DAYS === undefined ? Promise.resolve(0) : removeRecipientLogs(database.durable, limit);
