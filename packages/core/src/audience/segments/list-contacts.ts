import { type Db, Prisma } from '../../base/db/index.ts';
import { type Context, cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { contactList } from '../contacts/contacts.schema.ts';
import {
  type ContactFilter,
  type ContactOrder,
  type ContactRow,
  countContacts,
  searchContacts,
  searchMatches,
  sortedAtMost,
  totalOfContacts,
} from '../contacts/index.ts';
import type { FilterTree } from './filters.rules.ts';
import { compileSegment, compileTree } from './filters.store.ts';
import { assertFilterTree } from './graph.store.ts';
import { findContactsInput } from './list-contacts.schema.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { findSegment, withinTime } from './segments.store.ts';

export const listContacts = query({
  name: 'contacts.list',
  summary: 'Lists contacts, newest first unless sorted otherwise',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND'],
  input: findContactsInput,
  output: contactList,
  async handler(ctx, input) {
    const { limit, email, externalId, search, text, status, subscribed, sort, dir, countTo } = input;
    const filter = {
      projectId: projectIdOf(ctx),
      email,
      externalId,
      search,
      text,
      status: status ?? (subscribed === undefined ? undefined : subscribed ? 'subscribed' : 'not-subscribed'),
      condition: await conditionOf(ctx, input),
    } as const;
    const cursors = cursorsOf('contacts.list', input);
    const after = cursors.after(sort === 'email' ? 'text' : 'date');
    const order = { sort, dir, after, take: limit + 1 };
    const { rows, total } =
      filter.condition || text || search
        ? await ctx.services.database.prisma.$transaction(
            (db) => withinTime(db, () => readMatches(db, filter, order, countTo)),
            { timeout: 30_000 },
          )
        : await readContacts(ctx.db, filter, order, countTo);
    return cursors.page(rows, (row) => row[sort], total);
  },
});

interface Found {
  rows: ContactRow[];
  /** 0 on pages with a cursor */
  total: number;
}

async function readContacts(
  db: Db,
  filter: ContactFilter,
  order: ContactOrder,
  countTo: number | undefined,
): Promise<Found> {
  const [rows, total] = await Promise.all([
    searchContacts(db, filter, order),
    order.after ? 0 : totalOf(db, filter, countTo),
  ]);
  return { rows, total };
}

async function readMatches(
  db: Db,
  filter: ContactFilter,
  order: ContactOrder,
  countTo: number | undefined,
): Promise<Found> {
  const { rows, matches } = await searchMatches(db, filter, order);
  if (order.after) return { rows, total: 0 };
  const known = matches ?? sortedAtMost + 1;
  if (countTo !== undefined && known > countTo) return { rows, total: countTo + 1 };
  return { rows, total: matches ?? (await countContacts(db, filter, countTo)) };
}

/** What a filter tree and a segment ask of contacts; nothing when neither is given. @throws AppError SEGMENT_NOT_FOUND, VALIDATION_ERROR */
async function conditionOf(
  ctx: Context,
  { filter, segmentId }: { filter?: FilterTree | undefined; segmentId?: string | undefined },
): Promise<Prisma.Sql | undefined> {
  const projectId = projectIdOf(ctx);
  const conditions: Prisma.Sql[] = [];
  if (segmentId !== undefined) {
    if (!(await findSegment(ctx.db, projectId, segmentId))) throw segmentNotFound();
    conditions.push(await compileSegment(ctx.db, projectId, segmentId));
  }
  if (filter) {
    await assertFilterTree(ctx.db, projectId, filter, 'filter');
    conditions.push(await compileTree(ctx.db, projectId, filter));
  }
  return conditions.length > 0 ? Prisma.join(conditions, ' AND ') : undefined;
}

/** A search counts its matches; the total of all contacts may be cached. */
function totalOf(db: Db, filter: ContactFilter, countTo: number | undefined): Promise<number> {
  const { projectId, email, externalId, status } = filter;
  if (email !== undefined || externalId !== undefined) return countContacts(db, filter, countTo);
  return totalOfContacts(db, projectId, status);
}
