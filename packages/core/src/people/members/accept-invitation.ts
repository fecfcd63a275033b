import { command, userIdOf } from '../../base/kernel/index.ts';
import { findUser, joinByInvitation, requireInvitation, tokenInput } from '../users/index.ts';
import { memberOutput } from './members.schema.ts';
import { activeMember, findMember } from './members.store.ts';

export const acceptInvitation = command({
  name: 'auth.acceptInvitation',
  summary: 'Joins the project of an invitation; it must be for the address of the signed-in user.',
  permission: 'self',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'PROJECT_DISABLED'],
  input: tokenInput,
  output: memberOutput,
  async handler(ctx, { token }) {
    const userId = userIdOf(ctx);
    const email = (await findUser(ctx.db, userId))?.email ?? '';
    const invitation = await requireInvitation(ctx.db, token, email);
    await joinByInvitation(ctx, invitation, userId);
    const member = await findMember(ctx.db, invitation.projectId, userId);
    if (!member) throw new Error('an accepted invitation left no member');
    return activeMember(member, email);
  },
});
