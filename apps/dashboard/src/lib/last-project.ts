import { readPreference, writePreference } from './storage.ts';

const preference = 'project';

/** The project opened last in this browser, or the first one. */
export function pickProject<Item extends { id: string }>(projects: readonly Item[]): Item | undefined {
  const last = readPreference(preference);
  return projects.find(({ id }) => id === last) ?? projects[0];
}

export const rememberProject = (id: string): void => writePreference(preference, id);
