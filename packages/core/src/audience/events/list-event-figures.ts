import { isReservedEvent } from '../../base/event-types/event-types.rules.ts';
import { emptyObject, projectIdOf, query } from '../../base/kernel/index.ts';
import { eventFigures } from './events.schema.ts';
import { readNameFigures } from './history.store.ts';

/** Maximum number of names listed, the most frequent first. */
const maxNames = 500;

export const listEventFigures = query({
  name: 'events.figures',
  summary: 'Lists event names with their count and last occurrence, most frequent first',
  permission: 'data:read',
  input: emptyObject,
  output: eventFigures,
  async handler(ctx) {
    const names = await readNameFigures(ctx.db, projectIdOf(ctx), maxNames);
    return names.map((figures) => ({ ...figures, isOwn: isReservedEvent(figures.name) }));
  },
});
