import { databaseCode } from '../../base/db/index.ts';
import {
  type Context,
  command,
  conflict,
  invalid,
  projectIdOf,
  suggestions,
} from '../../base/kernel/index.ts';
import { isUsed, stillUsed } from '../../base/references/index.ts';
import { followChange, updateInterests } from './compute.ts';
import { type FilterTree, readsOf } from './filters.rules.ts';
import { readFilterTree } from './filters.schema.ts';
import { assertDependentsFit, assertFilterTree } from './graph.store.ts';
import { dropMembership } from './membership.store.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { findUsersOfEvents } from './segment-references.ts';
import { computeSegmentJob } from './segments.jobs.ts';
import { segmentRecord, updateSegmentInput } from './segments.schema.ts';
import {
  changeSegment,
  countMatching,
  isSlugTaken,
  lockConditions,
  lockSegment,
  nextComputeAt,
  type SegmentRow,
  withinTime,
} from './segments.store.ts';

export const updateSegment = command({
  name: 'segments.update',
  summary: 'Updates a segment; a new condition recounts its members',
  permission: 'data:write',
  risk: 'events',
  errors: ['BAD_REQUEST', 'SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: updateSegmentInput,
  output: segmentRecord,
  async handler(ctx, { id, description, condition: given, trackMembership, ...rest }) {
    const projectId = projectIdOf(ctx);
    const read = given === undefined || given === null ? null : readCondition(given);
    if (read) await lockConditions(ctx.db, projectId);
    const segment = await lockSegment(ctx.db, projectId, id);
    // Validation errors come before 404, but a STATIC segment ignores the condition.
    if (read?.error && segment?.type !== 'STATIC') throw read.error;
    if (!segment) throw segmentNotFound();
    if (rest.slug !== undefined && rest.slug !== segment.slug)
      await assertSlugMayChange(ctx, segment, rest.slug);
    const isDynamic = segment.type === 'DYNAMIC';
    const condition = isDynamic ? read?.tree : undefined;
    if (condition) await assertFilterTree(ctx.db, projectId, condition, 'condition', id);

    const memberCount = condition
      ? await withinTime(ctx.db, () => countMatching(ctx.db, projectId, condition))
      : segment.memberCount;
    const tracked = trackMembership ?? segment.trackMembership;
    const trackingChanged = tracked !== segment.trackMembership;
    const changed = isDynamic && (condition !== undefined || trackingChanged);
    const row = await write(ctx.db, id, {
      ...rest,
      ...(description === undefined ? {} : { description: description || null }),
      ...(condition ? { condition, reads: readsOf(condition), memberCount } : {}),
      trackMembership: tracked,
      ...(changed ? { wakeSeq: { increment: 1 }, nextComputeAt: nextComputeAt() } : {}),
    });
    ctx.audit({
      targetType: 'segment',
      targetId: id,
      changed: namesOf({ ...rest, description, condition, trackMembership }),
    });
    if (!changed) return row;

    if (!tracked && trackingChanged) await dropMembership(ctx.db, row);
    await assertDependentsFit(ctx.db, projectId, id);
    await updateInterests(ctx.db, row);
    await followChange(ctx, row);
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(computeSegmentJob, { segmentId: id }));
    return row;
  },
});

/** @throws AppError CONFLICT when another segment has the slug, or something refers to the events under the present one */
async function assertSlugMayChange({ db }: Context, segment: SegmentRow, slug: string): Promise<void> {
  if (await isSlugTaken(db, segment.projectId, slug)) throw slugTaken();
  const users = await findUsersOfEvents(db, segment.projectId, segment);
  if (isUsed(users)) throw stillUsed('An event of this segment is in use under its present name', users);
}

const slugTaken = () =>
  conflict('Another segment in this project has this slug', { suggestion: suggestions.CONFLICT.slugTaken });

async function write(...change: Parameters<typeof changeSegment>): Promise<SegmentRow> {
  try {
    return await changeSegment(...change);
  } catch (error) {
    // Another segment got the slug after it was checked.
    if (['23505', 'P2002'].includes(databaseCode(error) ?? '')) throw slugTaken();
    throw error;
  }
}

function readCondition(
  given: unknown,
): { tree: FilterTree; error: null } | { tree: undefined; error: Error } {
  const { tree, issues } = readFilterTree(given);
  if (tree) return { tree, error: null };
  const errors = issues.map(({ path, code, message }) => ({
    field: ['condition', ...path].join('.'),
    code,
    message,
  }));
  return { tree: undefined, error: invalid(errors) };
}

const namesOf = (fields: Record<string, unknown>): string[] =>
  Object.keys(fields).filter((name) => fields[name] !== undefined);
