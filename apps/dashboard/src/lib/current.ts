import { createContext, useContext } from 'react';
import type { Project, User } from './api.ts';
import { paths } from './paths.ts';

export const CurrentUser = createContext<User | null>(null);
export const CurrentProject = createContext<Project | null>(null);

/** The signed-in user. Only below `RequireSession`. */
export function useUser(): User {
  const user = useContext(CurrentUser);
  if (user === null) throw new Error('useUser is called outside of RequireSession');
  return user;
}

/** The project named in the URL. Only below `ProjectScope`. */
export function useProject(): Project {
  const project = useContext(CurrentProject);
  if (project === null) throw new Error('useProject is called outside of ProjectScope');
  return project;
}

/** Builds paths of pages of the current project: `to('emails')`. */
export function useProjectPath(): (page?: string) => string {
  const { id } = useProject();
  return (page) => paths.project(id, page);
}

/** Owners and admins can see secrets and change project settings. */
export const isLeader = ({ role }: Pick<Project, 'role'>): boolean => role !== 'MEMBER';
