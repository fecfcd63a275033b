import { cursorPage, decodeCursor, projectIdOf, query } from '../kernel/index.ts';
import { contactList, listContactsInput } from './contacts.schema.ts';
import { countContacts, searchContacts } from './contacts.store.ts';

export const listContacts = query({
  name: 'contacts.list',
  summary: 'Lists contacts, newest first unless sorted otherwise',
  permission: 'data:read',
  input: listContactsInput,
  output: contactList,
  async handler(ctx, { limit, cursor, search, status, subscribed, sort, dir }) {
    const filter = {
      projectId: projectIdOf(ctx),
      search,
      status: status ?? (subscribed === undefined ? undefined : subscribed ? 'subscribed' : 'not-subscribed'),
    } as const;
    const after = cursor === undefined ? null : decodeCursor(cursor, sort === 'email' ? 'text' : 'date');
    const [rows, total] = await Promise.all([
      searchContacts(ctx.db, filter, { sort, dir, after, take: limit + 1 }),
      after ? 0 : countContacts(ctx.db, filter),
    ]);
    return cursorPage(rows, limit, (row) => row[sort], total);
  },
});
