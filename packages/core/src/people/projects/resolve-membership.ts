import { AppError, type ProjectState, type Role, type Services } from '../../base/kernel/index.ts';
import { isUuid } from '../../base/lib/index.ts';
import { findMembership } from './gate.store.ts';

export interface Membership {
  role: Role;
  project: ProjectState;
}

/**
 * The user's membership of a project; null when the project does not exist, is deleted, or the user is not a member.
 *
 * @throws AppError FORBIDDEN when the project asks its members for a second factor that this user lacks
 */
export async function resolveMembership(
  services: Services,
  userId: string,
  projectId: string,
): Promise<Membership | null> {
  if (!isUuid(projectId)) return null;
  const row = await findMembership(services.database, userId, projectId);
  if (!row) return null;
  const { role, lacksSecondFactor, confirmsPublic, ...project } = row;
  if (lacksSecondFactor) {
    throw new AppError('FORBIDDEN', 'This project asks its members for a second factor', {
      details: { secondFactorRequired: true },
      suggestion: 'Set up an authenticator app under Account',
    });
  }
  return { role, project: { ...project, ...(confirmsPublic === true && { confirmsPublic }) } };
}
