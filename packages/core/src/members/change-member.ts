import { command } from '../kernel/index.ts';
import { changeMemberInput, memberOutput } from './members.schema.ts';
import { activeMember, changeInvitationRole, changeMemberRole, pendingMember } from './members.store.ts';
import { requireChangeable } from './require-changeable.ts';

export const changeMember = command({
  name: 'members.change',
  summary: 'Changes the role of a member or of a pending invitation.',
  permission: 'account',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN', 'RESOURCE_NOT_FOUND'],
  input: changeMemberInput,
  output: memberOutput,
  async handler(ctx, { id: projectId, userId, role }) {
    const target = await requireChangeable(ctx, projectId, userId);
    ctx.audit({ targetType: target, targetId: userId, projectId, changed: ['role'] });
    if (target === 'invitation') return pendingMember(await changeInvitationRole(ctx.db, userId, role));
    const member = await changeMemberRole(ctx.db, projectId, userId, role);
    return activeMember(member, member.user.email);
  },
});
