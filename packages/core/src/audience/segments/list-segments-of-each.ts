import { z } from 'zod';
import { clampedInt, idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { segmentsOfEach } from './members-of-each.store.ts';
import { segmentRecord } from './segments.schema.ts';
import { listSegmentRows, withinTime } from './segments.store.ts';

/** The segments of several contacts, newest first; GraphQL's nested lists use it. */
export const listSegmentsOfEach = query({
  name: 'segments.ofEach',
  summary: 'Lists the segments that each contact belongs to, evaluated live',
  permission: 'data:read',
  errors: ['BAD_REQUEST'],
  internal: true,
  input: z.object({
    ...idList.shape,
    first: clampedInt(20, 1, 100).describe('Segments per contact, 1 to 100. Default 20.'),
  }),
  output: z.array(z.object({ id: z.string(), segments: z.array(segmentRecord) })),
  async handler(ctx, { ids, first }) {
    const projectId = projectIdOf(ctx);
    const segments = await listSegmentRows(ctx.db, projectId);
    const found = await ctx.services.database.prisma.$transaction(
      (db) => withinTime(db, () => segmentsOfEach(db, projectId, ids, segments)),
      { timeout: 30_000 },
    );
    return ids.map((id) => ({
      id,
      segments: segments.filter((segment) => found.get(id)?.has(segment.id)).slice(0, first),
    }));
  },
});
