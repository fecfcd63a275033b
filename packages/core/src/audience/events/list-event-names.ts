import { emptyObject, projectIdOf, query } from '../../base/kernel/index.ts';
import { eventNames } from './events.schema.ts';
import { countNames } from './history.store.ts';

export const listEventNames = query({
  name: 'events.names',
  summary: 'Lists all event names, most frequent first',
  permission: 'data:read',
  input: emptyObject,
  output: eventNames,
  async handler(ctx) {
    const counts = await countNames(ctx.db, projectIdOf(ctx), {});
    return { eventNames: counts.map(({ name }) => name) };
  },
});
