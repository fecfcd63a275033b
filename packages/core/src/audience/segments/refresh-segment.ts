import { command, projectIdOf } from '../../base/kernel/index.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { refreshedSegment, segmentIdInput } from './segments.schema.ts';
import { countOf, findSegment, withinTime, writeCount } from './segments.store.ts';

export const refreshSegment = command({
  name: 'segments.refresh',
  summary: 'Recounts the members without changing memberships or emitting events',
  permission: 'data:write',
  risk: 'events',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND'],
  input: segmentIdInput,
  output: refreshedSegment,
  async handler(ctx, { id }) {
    const segment = await findSegment(ctx.db, projectIdOf(ctx), id);
    if (!segment) throw segmentNotFound();
    const memberCount = await withinTime(ctx.db, () => countOf(ctx.db, segment));
    await writeCount(ctx.db, segment, memberCount);
    ctx.audit({ targetType: 'segment', targetId: id });
    return { memberCount };
  },
});
