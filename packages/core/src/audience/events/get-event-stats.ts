import { projectIdOf, query } from '../../base/kernel/index.ts';
import { eventStats, eventStatsInput } from './events.schema.ts';
import { countNames } from './history.store.ts';

const monthMs = 30 * 86_400_000;

export const getEventStats = query({
  name: 'events.stats',
  summary: 'Counts events by name in a period, by default the last 30 days',
  permission: 'data:read',
  input: eventStatsInput,
  output: eventStats,
  async handler(ctx, { startDate, endDate }) {
    const from = startDate ?? new Date((endDate?.getTime() ?? Date.now()) - monthMs);
    return countNames(ctx.db, projectIdOf(ctx), { from, to: endDate });
  },
});
