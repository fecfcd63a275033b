import { z } from 'zod';
import { cursorsOf, pageOfEach, pagesOf, pagesOfEach, projectIdOf, query } from '../../base/kernel/index.ts';
import { contactShape } from '../contacts/contacts.schema.ts';
import { countMembersOfEach, membersOfEach } from './members-of-each.store.ts';
import { findSegments, withinTime } from './segments.store.ts';

/** The contacts of several segments; GraphQL's nested lists use it. */
export const listContactsOfEach = query({
  name: 'segments.contactsOfEach',
  summary: 'Lists the contacts of each segment, newest first; dynamic segments are evaluated live',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: z.object(pageOfEach),
  output: pagesOfEach(contactShape),
  async handler(ctx, { ids, totals, ...input }) {
    const projectId = projectIdOf(ctx);
    const after = cursorsOf('segments.contactsOfEach', input).after();
    const segments = await findSegments(ctx.db, projectId, ids);
    const [rows, counts] = await ctx.services.database.prisma.$transaction(
      (db) =>
        withinTime(db, async () => [
          await membersOfEach(db, projectId, segments, { after, take: input.limit + 1 }),
          totals && !after ? await countMembersOfEach(db, projectId, segments) : [],
        ]),
      { timeout: 30_000 },
    );
    return pagesOf({ ids, limit: input.limit }, rows, (row) => row.segmentId, counts);
  },
});
