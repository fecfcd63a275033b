import { projectIdOf, query } from '../../base/kernel/index.ts';
import { eventList, listEventsInput } from './events.schema.ts';
import { recentEvents } from './history.store.ts';

export const listEvents = query({
  name: 'events.list',
  summary: 'Lists recent events, newest first',
  permission: 'data:read',
  input: listEventsInput,
  output: eventList,
  handler: async (ctx, input) => ({ events: await recentEvents(ctx.db, projectIdOf(ctx), input) }),
});
