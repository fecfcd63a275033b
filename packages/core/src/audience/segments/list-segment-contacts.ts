import { pageOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { contactPage, listSegmentContactsInput } from './segments.schema.ts';
import { findSegment, readMembers, withinTime } from './segments.store.ts';

export const listSegmentContacts = query({
  name: 'segments.contacts',
  summary: 'Lists the contacts of a segment; a dynamic segment is evaluated live',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND'],
  input: listSegmentContactsInput,
  output: contactPage,
  async handler(ctx, { id, page, pageSize }) {
    const segment = await findSegment(ctx.db, projectIdOf(ctx), id);
    if (!segment) throw segmentNotFound();
    const { rows, total } = await ctx.services.database.prisma.$transaction(
      (db) => withinTime(db, () => readMembers(db, segment, { page, pageSize })),
      { timeout: 30_000 },
    );
    return pageOf(rows, page, pageSize, total);
  },
});
