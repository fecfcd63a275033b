import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { eventShape } from './events.schema.ts';
import { findEvents } from './history.store.ts';

/** Loads the events referenced by many records in one query; the doors' batch loaders use it. */
export const getEvents = query({
  name: 'events.getMany',
  summary: 'Returns events by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(eventShape),
  handler: (ctx, { ids }) => findEvents(ctx.db, projectIdOf(ctx), ids),
});
