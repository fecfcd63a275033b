import { z } from 'zod';
import { cursorsOf, pageOfEach, pagesOf, pagesOfEach, projectIdOf, query } from '../kernel/index.ts';
import { eventFilter, eventShape } from './events.schema.ts';
import { countEventsOfEach, eventsOfEach } from './events-of-each.store.ts';

/** The events of several contacts; GraphQL's nested lists use it. */
export const listEventsOfEach = query({
  name: 'events.ofEach',
  summary: 'Lists the events of each contact, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: z.object({ ...pageOfEach, eventName: eventFilter }),
  output: pagesOfEach(eventShape),
  async handler(ctx, { ids, totals, ...input }) {
    const after = cursorsOf('events.ofEach', input).after();
    const search = { projectId: projectIdOf(ctx), contactIds: ids, eventName: input.eventName };
    const [rows, counts] = await Promise.all([
      eventsOfEach(ctx.db, search, { after, take: input.limit + 1 }),
      totals && !after ? countEventsOfEach(ctx.db, search) : [],
    ]);
    return pagesOf({ ids, limit: input.limit }, rows, (row) => row.contactId, counts);
  },
});
