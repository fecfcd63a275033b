import { assertEnabled, command } from '../../base/kernel/index.ts';
import { changeMemberInput, memberOutput } from './members.schema.ts';
import { activeMember, changeInvitationRole, changeMemberRole, invitedMember } from './members.store.ts';
import { requireChangeable } from './require-changeable.ts';

export const changeMember = command({
  name: 'members.change',
  summary: 'Changes the role of a member or of a pending invitation.',
  permission: 'account',
  risk: 'closed',
  errors: ['PROJECT_ACCESS_DENIED', 'FORBIDDEN', 'PROJECT_DISABLED', 'RESOURCE_NOT_FOUND'],
  input: changeMemberInput,
  output: memberOutput,
  async handler(ctx, { id: projectId, userId, role }) {
    const { target, caller } = await requireChangeable(ctx, projectId, userId);
    // On a disabled project, the owner may take rights away (behaviour B3.6).
    if (role !== 'MEMBER' || caller.role !== 'OWNER') assertEnabled(caller.project);
    ctx.audit({ targetType: target, targetId: userId, projectId, changed: ['role'] });
    if (target === 'invitation') return invitedMember(await changeInvitationRole(ctx.db, userId, role));
    const member = await changeMemberRole(ctx.db, projectId, userId, role);
    return activeMember(member, member.user.email);
  },
});
