import { AppError, assertEnabled, query } from '../../base/kernel/index.ts';
import { hashOfToken } from '../users/index.ts';
import { invitationOutput, invitationTokenInput } from './members.schema.ts';
import { findInvitationByToken } from './members.store.ts';

export const getInvitation = query({
  name: 'auth.getInvitation',
  summary: 'Returns what an invitation link is for.',
  permission: 'public',
  errors: ['RESOURCE_NOT_FOUND', 'PROJECT_DISABLED'],
  input: invitationTokenInput,
  output: invitationOutput,
  async handler(ctx, { token }) {
    const hash = hashOfToken(token);
    const invitation = hash && (await findInvitationByToken(ctx.db, hash));
    if (invitation) {
      assertEnabled({ disabled: invitation.isDisabled });
      return invitation;
    }
    throw new AppError('RESOURCE_NOT_FOUND', 'This invitation does not exist or has expired', {
      suggestion: 'Ask for a new invitation',
    });
  },
});
