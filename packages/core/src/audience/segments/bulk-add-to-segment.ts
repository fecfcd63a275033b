import { command } from '../../base/kernel/index.ts';
import { bulkAddInput, queueBulkChange, queuedJob } from '../contacts/index.ts';
import { lockStatic } from './add-segment-members.ts';

export const bulkAddToSegment = command({
  name: 'contacts.bulkAddToSegment',
  summary: 'Adds many contacts to a static segment, in the background',
  permission: 'data:write',
  risk: 'large',
  errors: ['SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: bulkAddInput,
  output: queuedJob,
  async handler(ctx, { segmentId, ...selection }) {
    await lockStatic(ctx, segmentId);
    const queued = await queueBulkChange(ctx, 'join', selection, { segmentId });
    ctx.audit({ targetType: 'segment', targetId: segmentId, changed: ['members'] });
    return { ...queued, message: 'Adding contacts queued' };
  },
});
