import { orderedPeriod, projectOf, query } from '../../base/kernel/index.ts';
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
    const { id: projectId, timeZone } = projectOf(ctx);
    const given = { from: startDate, to: endDate };
    const { from, to } = orderedPeriod(given, timeZone, 'included', ['startDate', 'endDate']);
    return countNames(ctx.db, projectId, {
      from: from ?? new Date((to?.getTime() ?? Date.now()) - monthMs),
      to,
    });
  },
});
