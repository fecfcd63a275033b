import { addressSought, command } from '../../base/kernel/index.ts';
import { lockStatic, settle } from './add-segment-members.ts';
import { leave } from './membership.store.ts';
import { removedMembers, removeMembersInput } from './segments.schema.ts';
import { findByAddress } from './segments.store.ts';

export const removeSegmentMembers = command({
  name: 'segments.removeMembers',
  summary: 'Removes contacts from a static segment',
  permission: 'data:write',
  risk: 'events',
  errors: ['SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: removeMembersInput,
  output: removedMembers,
  async handler(ctx, { id, emails }) {
    const segment = await lockStatic(ctx, id);
    const known = await findByAddress(ctx.db, segment.projectId, [...new Set(emails.map(addressSought))]);
    const change = await leave(
      ctx.db,
      segment,
      known.map((contact) => contact.id),
    );
    await settle(ctx, segment, change);
    return { removed: change.removed };
  },
});
