import type { Db } from '../../base/db/index.ts';
import { AppError, assertEnabled, badRequest, type CommandContext } from '../../base/kernel/index.ts';
import { acceptInvitation, findInvitation, type OpenInvitation } from './invitations.store.ts';
import { hashOfToken } from './mailed-token.ts';

/**
 * The invitation with this token, if it was sent to this address.
 *
 * @throws AppError BAD_REQUEST for a token that is malformed, unknown, used or expired; FORBIDDEN for another address;
 *   PROJECT_DISABLED
 */
export async function requireInvitation(db: Db, token: string, email: string): Promise<OpenInvitation> {
  const hash = hashOfToken(token);
  const invitation = hash && (await findInvitation(db, { tokenHash: hash }));
  if (!invitation) throw badToken();
  if (invitation.email === email) {
    assertEnabled(invitation.project);
    return invitation;
  }
  throw new AppError('FORBIDDEN', 'This invitation is for another address', {
    suggestion: 'Use the address the invitation was sent to',
  });
}

/**
 * Adds the user to the project of the invitation. The audit log of that project shows it, whatever the operation.
 *
 * @throws AppError BAD_REQUEST when it has already been used
 */
export async function joinByInvitation(
  { db, audit }: Pick<CommandContext, 'db' | 'audit'>,
  invitation: OpenInvitation,
  userId: string,
): Promise<void> {
  if (!(await acceptInvitation(db, invitation, userId))) throw badToken();
  audit({ targetType: 'member', targetId: userId, projectId: invitation.projectId });
}

const badToken = (): AppError =>
  badRequest('This invitation is no longer valid', { suggestion: 'Ask for a new invitation' });
