import { command, conflict, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { findReferences } from '../../base/references/index.ts';
import { setEventInterests } from '../events/index.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { segmentIdInput } from './segments.schema.ts';
import { lockConditions, lockForRemoval, removeSegment } from './segments.store.ts';

export const deleteSegment = command({
  name: 'segments.delete',
  summary: 'Deletes an unused segment',
  permission: 'data:write',
  errors: ['SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: segmentIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const projectId = projectIdOf(ctx);
    await lockConditions(ctx.db, projectId);
    if (!(await lockForRemoval(ctx.db, projectId, id))) throw segmentNotFound();
    const used = await findReferences(ctx.db, projectId, `segment.${id}`);
    const users = Object.entries(used).filter(([, list]) => list.length > 0);
    if (users.length > 0) {
      throw conflict('This segment is in use', {
        details: Object.fromEntries(users),
        suggestion: `Remove it from these first: ${users.map(([kind]) => kind).join(', ')}`,
      });
    }
    await setEventInterests(ctx.db, projectId, id, []);
    await removeSegment(ctx.db, projectId, id);
    ctx.audit({ targetType: 'segment', targetId: id });
    return {};
  },
});
