import { command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { isUsed, stillUsed } from '../../base/references/index.ts';
import { setEventInterests } from '../events/index.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { findSegmentUsers } from './segment-references.ts';
import { segmentIdInput } from './segments.schema.ts';
import { lockConditions, lockForRemoval, removeSegment } from './segments.store.ts';

export const deleteSegment = command({
  name: 'segments.delete',
  summary: 'Deletes an unused segment',
  permission: 'data:write',
  risk: 'large',
  errors: ['SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: segmentIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    await lockConditions(ctx.db, projectId);
    const segment = await lockForRemoval(ctx.db, projectId, id);
    if (!segment) throw segmentNotFound();
    const users = await findSegmentUsers(ctx.db, projectId, segment);
    if (isUsed(users)) throw stillUsed('This segment is in use', users);
    await setEventInterests(ctx.db, projectId, id, []);
    await removeSegment(ctx.db, projectId, id);
    ctx.audit({ targetType: 'segment', targetId: id, name: segment.name });
    return {};
  },
});
