import { projectIdOf, query } from '../../base/kernel/index.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { segmentIdInput, segmentRecord } from './segments.schema.ts';
import { findSegment } from './segments.store.ts';

export const getSegment = query({
  name: 'segments.get',
  summary: 'Returns one segment with its cached count of members',
  permission: 'data:read',
  errors: ['SEGMENT_NOT_FOUND'],
  input: segmentIdInput,
  output: segmentRecord,
  async handler(ctx, { id }) {
    const segment = await findSegment(ctx.db, projectIdOf(ctx), id);
    if (!segment) throw segmentNotFound();
    return segment;
  },
});
