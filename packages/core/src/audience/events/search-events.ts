import { addressSought, cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { eventPage, searchEventsInput } from './events.schema.ts';
import { contactOfAddress, countEvents, pageOfEvents } from './history.store.ts';

export const searchEvents = query({
  name: 'events.search',
  summary: 'Lists events by name and by the address of their contact, newest first',
  permission: 'data:read',
  input: searchEventsInput,
  output: eventPage,
  async handler(ctx, input) {
    const { limit, eventName, contact } = input;
    const projectId = projectIdOf(ctx);
    const cursors = cursorsOf('events.search', input);
    const after = cursors.after();
    const contactId =
      contact === undefined ? undefined : await contactOfAddress(ctx.db, projectId, addressSought(contact));
    if (contactId === null) return cursors.page([], ({ id }) => id, 0);
    const search = { eventName, contactId };
    const [rows, total] = await Promise.all([
      pageOfEvents(ctx.db, projectId, search, { after, take: limit + 1 }),
      after ? 0 : countEvents(ctx.db, projectId, search),
    ]);
    return cursors.page(rows, ({ createdAt }) => createdAt, total);
  },
});
