import { AppError, type CommandContext, userIdOf } from '../../base/kernel/index.ts';
import { type Membership, requireMembership } from '../projects/index.ts';
import { findInvitationById, findMember, lockMembers } from './members.store.ts';

interface Changeable {
  target: 'member' | 'invitation';
  /** the membership of the caller */
  caller: Membership;
}

/**
 * Whether a member id belongs to a member or an invitation. Locks the members of the project for the change.
 *
 * @throws AppError FORBIDDEN for too low a role, for the OWNER and for the caller; RESOURCE_NOT_FOUND for an unknown id
 */
export async function requireChangeable(
  ctx: CommandContext,
  projectId: string,
  memberId: string,
): Promise<Changeable> {
  const caller = await requireMembership(ctx, projectId, ['OWNER', 'ADMIN']);
  await lockMembers(ctx.db, projectId);
  if (memberId === userIdOf(ctx)) {
    throw new AppError('FORBIDDEN', 'You cannot change or remove yourself', {
      suggestion: 'Ask another admin or the owner of the project',
    });
  }
  const member = await findMember(ctx.db, projectId, memberId);
  if (member?.role === 'OWNER') {
    throw new AppError('FORBIDDEN', 'The owner of a project cannot be changed or removed');
  }
  if (member) return { target: 'member', caller };
  if (await findInvitationById(ctx.db, projectId, memberId)) return { target: 'invitation', caller };
  throw new AppError('RESOURCE_NOT_FOUND', 'This member does not exist');
}
