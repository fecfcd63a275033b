import { projectIdOf, query } from '../../base/kernel/index.ts';
import { dailyEvents, dailyEventsInput } from './events.schema.ts';
import { countByDay } from './history.store.ts';

const dayMs = 86_400_000;
const days = 30;

export const getDailyEvents = query({
  name: 'events.daily',
  summary: 'Counts events per day (UTC) in the last 30 days, in total or by name',
  permission: 'data:read',
  input: dailyEventsInput,
  output: dailyEvents,
  async handler(ctx, { eventName }) {
    const today = Math.floor(Date.now() / dayMs) * dayMs;
    const from = new Date(today - (days - 1) * dayMs);
    const counted = await countByDay(ctx.db, projectIdOf(ctx), { eventName, from });
    const countOf = new Map(counted.map(({ day, count }) => [day, count]));
    return Array.from({ length: days }, (_, index) => {
      const day = new Date(from.getTime() + index * dayMs).toISOString().slice(0, 10);
      return { day, count: countOf.get(day) ?? 0 };
    });
  },
});
