import { type Context, command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { type Computed, compute } from './compute.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { computedSegment, segmentIdInput } from './segments.schema.ts';
import { findSegment } from './segments.store.ts';

export const computeSegment = command({
  name: 'segments.compute',
  summary: 'Computes the membership of a tracked dynamic segment; entries and exits emit their events',
  permission: 'data:write',
  risk: 'events',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: segmentIdInput,
  output: computedSegment,
  // A large segment takes longer than a command's own transaction may.
  prepare: computeNow,
  async handler(ctx, { id }, computed) {
    ctx.audit({ targetType: 'segment', targetId: id });
    return computed;
  },
});

async function computeNow(ctx: Context, { id }: { id: string }): Promise<Computed> {
  const projectId = projectIdOf(ctx);
  const segment = await findSegment(ctx.db, projectId, id);
  if (!segment) throw segmentNotFound();
  if (segment.type === 'STATIC')
    throw conflict('A static segment cannot be computed', { suggestion: suggestions.CONFLICT.staticSegment });
  const computed = segment.trackMembership
    ? await compute(ctx.services, projectId, id, ({ trackMembership }) => trackMembership)
    : null;
  if (computed) return computed;
  throw conflict('This segment does not track its membership', {
    suggestion: suggestions.CONFLICT.untrackedSegment,
  });
}
