import { assertEnabled, command } from '../../base/kernel/index.ts';
import { findInvitation, joinByInvitation } from '../users/index.ts';
import { memberOutput, ownInvitationInput } from './members.schema.ts';
import { activeMember, findMember } from './members.store.ts';
import { noSuchInvitation, requireProvenAddress } from './proven-address.ts';

export const acceptOwnInvitation = command({
  name: 'invitations.accept',
  summary: 'Joins the project of an invitation to the address of the signed-in user.',
  permission: 'account',
  risk: 'closed',
  errors: ['EMAIL_VERIFICATION_REQUIRED', 'PROJECT_DISABLED', 'RESOURCE_NOT_FOUND', 'BAD_REQUEST'],
  input: ownInvitationInput,
  output: memberOutput,
  async handler(ctx, { id }) {
    const { userId, email } = await requireProvenAddress(ctx);
    const invitation = await findInvitation(ctx.db, { id, email });
    if (!invitation) throw noSuchInvitation();
    assertEnabled(invitation.project);
    await joinByInvitation(ctx, invitation, userId);
    const member = await findMember(ctx.db, invitation.projectId, userId);
    if (!member) throw new Error('an accepted invitation left no member');
    return activeMember(member, email);
  },
});
