import { z } from 'zod';
import { emptyObject, projectIdOf, query } from '../../base/kernel/index.ts';
import { segmentRecord } from './segments.schema.ts';
import { listSegmentRows } from './segments.store.ts';

export const listSegments = query({
  name: 'segments.list',
  summary: 'Lists all segments, newest first',
  permission: 'data:read',
  input: emptyObject,
  output: z.array(segmentRecord),
  handler: (ctx) => listSegmentRows(ctx.db, projectIdOf(ctx)),
});
