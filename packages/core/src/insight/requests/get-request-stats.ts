import { badRequest, projectOf, query } from '../../base/kernel/index.ts';
import { periodOf } from '../../base/lib/index.ts';
import { dayMs, p95Of } from './requests.rules.ts';
import { requestStats, requestStatsInput } from './requests.schema.ts';
import { findCounts } from './requests.store.ts';

/** The longest period, in days. */
const mostDays = 7;
/** What one reply has at most: a week with many operations and codes has more. */
const mostRows = 20_000;

export const getRequestStats = query({
  name: 'requests.stats',
  summary: 'Counts requests with a key of the project by quarter of an hour',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: requestStatsInput,
  output: requestStats,
  async handler(ctx, input) {
    const { id: projectId, timeZone } = projectOf(ctx);
    const period = periodOf(input, timeZone, 'excluded');
    const to = period.to ?? new Date();
    const from = period.from ?? new Date(to.getTime() - dayMs);
    // A day on which clocks are set back is an hour longer.
    if (to.getTime() - from.getTime() > mostDays * dayMs + 3_600_000)
      throw badRequest(`The period can have at most ${mostDays} days`);
    const rows = await findCounts(ctx.db, projectId, from, to, mostRows + 1);
    if (rows.length > mostRows)
      throw badRequest('There are too many different counts in this period', {
        suggestion: 'Ask for a shorter period',
      });
    return {
      data: rows.map(({ at, operation, status, code, count, durations }) => ({
        bucket: at,
        operation: operation || null,
        status,
        code: code || null,
        count,
        p95Ms: p95Of(durations),
      })),
    };
  },
});
