import { command, emptyObject } from '../../base/kernel/index.ts';
import { removeMemberInput } from './members.schema.ts';
import { deleteInvitation, deleteMember } from './members.store.ts';
import { requireChangeable } from './require-changeable.ts';

export const removeMember = command({
  name: 'members.remove',
  summary: 'Removes a member from a project, or withdraws a pending invitation.',
  permission: 'account',
  risk: 'closed',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN', 'RESOURCE_NOT_FOUND'],
  input: removeMemberInput,
  output: emptyObject,
  async handler(ctx, { id: projectId, userId }) {
    const { target } = await requireChangeable(ctx, projectId, userId);
    if (target === 'invitation') await deleteInvitation(ctx.db, userId);
    else await deleteMember(ctx.db, projectId, userId);
    ctx.audit({ targetType: target, targetId: userId, projectId });
    return {};
  },
});
