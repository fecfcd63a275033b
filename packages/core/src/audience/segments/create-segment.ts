import { command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { updateInterests } from './compute.ts';
import { readsOf } from './filters.rules.ts';
import { assertFilterTree } from './graph.store.ts';
import { computeSegmentJob } from './segments.jobs.ts';
import { createSegmentInput, segmentRecord } from './segments.schema.ts';
import { countMatching, insertSegment, lockConditions, nextComputeAt, withinTime } from './segments.store.ts';

export const createSegment = command({
  name: 'segments.create',
  summary: 'Creates a segment',
  permission: 'data:write',
  risk: 'events',
  errors: ['BAD_REQUEST'],
  input: createSegmentInput,
  output: segmentRecord,
  async handler(ctx, { name, description, type, condition, trackMembership = false }) {
    const projectId = projectIdOf(ctx);
    if (condition) {
      await lockConditions(ctx.db, projectId);
      await assertFilterTree(ctx.db, projectId, condition, 'condition');
    }
    const memberCount = condition
      ? await withinTime(ctx.db, () => countMatching(ctx.db, projectId, condition))
      : 0;
    const computes = type === 'DYNAMIC' && trackMembership;
    const segment = await insertSegment(ctx.db, {
      id: newId(),
      projectId,
      name,
      description: description || null,
      type,
      condition,
      trackMembership,
      memberCount,
      reads: condition ? readsOf(condition) : [],
      computedAt: computes ? null : new Date(),
      nextComputeAt: type === 'DYNAMIC' ? nextComputeAt() : null,
      wakeSeq: computes ? 1 : 0,
    });
    ctx.audit({ targetType: 'segment', targetId: segment.id });
    if (!computes) return segment;
    await updateInterests(ctx.db, segment);
    ctx.afterCommit(() =>
      ctx.services.workflows.signalDebounced(computeSegmentJob, { segmentId: segment.id }),
    );
    return segment;
  },
});
