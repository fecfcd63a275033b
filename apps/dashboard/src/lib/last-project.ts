import { readPreference, writePreference } from './storage.ts';

const preference = 'project';
const kept = 20;

/** The ids of the projects opened last in this browser, the latest first. */
const recentProjects = (): string[] => (readPreference(preference) ?? '').split(' ').filter(Boolean);

/** The projects in the order in which they were opened last; the others follow as they are. */
export function latestFirst<Item extends { id: string }>(projects: readonly Item[]): Item[] {
  const recent = recentProjects();
  const opened = recent.flatMap((id) => projects.filter((project) => project.id === id));
  return [...opened, ...projects.filter(({ id }) => !recent.includes(id))];
}

/** The project opened last in this browser, or the first one. */
export const pickProject = <Item extends { id: string }>(projects: readonly Item[]): Item | undefined =>
  latestFirst(projects)[0];

export const rememberProject = (id: string): void =>
  writePreference(
    preference,
    [id, ...recentProjects().filter((other) => other !== id)].slice(0, kept).join(' '),
  );
