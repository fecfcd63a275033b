import { z } from 'zod';
import { idList, projectIdOf, query } from '../../base/kernel/index.ts';
import { segmentRecord } from './segments.schema.ts';
import { findSegments } from './segments.store.ts';

/** Loads the segments referenced by many records in one query; the doors' batch loaders use it. */
export const getSegments = query({
  name: 'segments.getMany',
  summary: 'Returns segments by their ids',
  permission: 'data:read',
  internal: true,
  input: idList,
  output: z.array(segmentRecord),
  handler: (ctx, { ids }) => findSegments(ctx.db, projectIdOf(ctx), ids),
});
