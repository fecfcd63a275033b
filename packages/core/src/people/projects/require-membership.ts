import { AppError, type Context, type Role, userIdOf } from '../../base/kernel/index.ts';
import { type Membership, resolveMembership } from './resolve-membership.ts';

/**
 * The caller's membership of a project that an account operation names by id.
 *
 * @param roles the roles that may do it
 * @throws AppError PROJECT_ACCESS_DENIED when the caller has no such project, FORBIDDEN for too low a role
 */
export async function requireMembership(
  ctx: Context,
  projectId: string,
  roles: readonly Role[] = ['OWNER', 'ADMIN', 'MEMBER'],
): Promise<Membership> {
  const membership = await resolveMembership(ctx.services, userIdOf(ctx), projectId);
  if (!membership) throw accessDenied();
  if (roles.includes(membership.role)) return membership;
  throw new AppError('FORBIDDEN', `Your role (${membership.role}) does not allow this`, {
    suggestion: 'Ask an admin or the owner of the project',
  });
}

/** The same error for a project that does not exist and for one the caller is not a member of. */
export const accessDenied = (): AppError =>
  new AppError('PROJECT_ACCESS_DENIED', 'You have no access to this project');
