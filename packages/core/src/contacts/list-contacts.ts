import type { Db } from '../db/index.ts';
import { cachedTotal } from '../figures/index.ts';
import { cursorsOf, projectIdOf, query } from '../kernel/index.ts';
import { contactList, listContactsInput } from './contacts.schema.ts';
import { type ContactFilter, countContacts, searchContacts } from './contacts.store.ts';

export const listContacts = query({
  name: 'contacts.list',
  summary: 'Lists contacts, newest first unless sorted otherwise',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  input: listContactsInput,
  output: contactList,
  async handler(ctx, input) {
    const { limit, search, status, subscribed, sort, dir } = input;
    const filter = {
      projectId: projectIdOf(ctx),
      search,
      status: status ?? (subscribed === undefined ? undefined : subscribed ? 'subscribed' : 'not-subscribed'),
    } as const;
    const cursors = cursorsOf('contacts.list', input);
    const after = cursors.after(sort === 'email' ? 'text' : 'date');
    const [rows, total] = await Promise.all([
      searchContacts(ctx.db, filter, { sort, dir, after, take: limit + 1 }),
      after ? 0 : totalOf(ctx.db, filter),
    ]);
    return cursors.page(rows, (row) => row[sort], total);
  },
});

/** A search counts its matches; the total of all contacts may be cached. */
function totalOf(db: Db, filter: ContactFilter): Promise<number> {
  const count = (): Promise<number> => countContacts(db, filter);
  const { projectId, search, status } = filter;
  if (search) return count();
  return cachedTotal(db, { projectId, key: `contacts.total.${status ?? 'all'}` }, count);
}
