import { z } from 'zod';
import { cursorsOf, pageOfEach, pagesOf, pagesOfEach, projectIdOf, query } from '../../base/kernel/index.ts';
import { eventFilter, eventShape } from './events.schema.ts';
import { countEventsOfEach, eventsOfEach } from './events-of-each.store.ts';

/** The events of several contacts or emails; GraphQL's nested lists use it. */
export const listEventsOfEach = query({
  name: 'events.ofEach',
  summary: 'Lists the events of each contact or email, newest first',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: z.object({ ...pageOfEach, parent: z.enum(['contactId', 'emailId']), eventName: eventFilter }),
  output: pagesOfEach(eventShape),
  async handler(ctx, { ids, totals, ...input }) {
    const { parent, eventName } = input;
    const after = cursorsOf('events.ofEach', input).after();
    const search = { projectId: projectIdOf(ctx), parent, ids, eventName };
    const [rows, counts] = await Promise.all([
      eventsOfEach(ctx.db, search, { after, take: input.limit + 1 }),
      totals && !after ? countEventsOfEach(ctx.db, search) : [],
    ]);
    return pagesOf({ ids, limit: input.limit }, rows, (row) => row[parent], counts);
  },
});
