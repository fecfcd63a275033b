import { readPreference, writePreference } from './storage.ts';

const preference = 'project';

/** The project that was open last in this browser, or else the first one. */
export function pickProject<Item extends { id: string }>(projects: readonly Item[]): Item | undefined {
  const last = readPreference(preference);
  return projects.find(({ id }) => id === last) ?? projects[0];
}

export const rememberProject = (id: string): void => writePreference(preference, id);
