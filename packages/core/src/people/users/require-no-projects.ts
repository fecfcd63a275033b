import type { Db } from '../../base/db/index.ts';
import { conflict, suggestions } from '../../base/kernel/index.ts';
import { findOwnedProjects } from './deletion.store.ts';

/** A project always has an owner, so an owner cannot leave before it. @throws AppError CONFLICT, with `details.projects` */
export async function requireNoProjects(db: Db, userId: string): Promise<void> {
  const projects = await findOwnedProjects(db, userId);
  if (projects.length === 0) return;
  throw conflict(
    projects.length === 1
      ? 'You are the owner of a project'
      : `You are the owner of ${projects.length} projects`,
    { details: { projects }, suggestion: suggestions.CONFLICT.ownsProjects },
  );
}
