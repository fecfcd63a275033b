import { countNames } from '../../audience/events/index.ts';
import { isReservedEvent } from '../../base/event-types/event-types.rules.ts';
import { projectIdOf, query } from '../../base/kernel/index.ts';
import { topEvents, topEventsInput } from './analytics.schema.ts';
import { periodOf } from './period.rules.ts';

export const listTopEvents = query({
  name: 'analytics.topEvents',
  summary: 'Lists the most frequent names of custom events in a period',
  permission: 'data:read',
  input: topEventsInput,
  output: topEvents,
  async handler(ctx, { limit, from, to }) {
    const period = periodOf({ from, to }, new Date());
    const names = await countNames(ctx.db, projectIdOf(ctx), { from: period.from, to });
    return { data: names.filter(({ name }) => !isReservedEvent(name)).slice(0, limit) };
  },
});
