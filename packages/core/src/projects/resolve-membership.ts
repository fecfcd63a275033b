import { isUuid, type ProjectState, type Role, type Services } from '../kernel/index.ts';
import { findMembership } from './gate.store.ts';

export interface Membership {
  role: Role;
  project: ProjectState;
}

/** The user's place in a project; null when there is no such project, it is deleted, or it is not the user's. */
export async function resolveMembership(
  services: Services,
  userId: string,
  projectId: string,
): Promise<Membership | null> {
  if (!isUuid(projectId)) return null;
  const row = await findMembership(services.database, userId, projectId);
  if (!row) return null;
  const { role, ...project } = row;
  return { role, project };
}
