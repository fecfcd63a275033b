import { readPreference, removePreferences, writePreference } from './storage.ts';

const prefix = 'recent.';
const kept = 6;

/** A page that was opened by the command palette. */
export interface RecentPage {
  /** path of the page */
  to: string;
  label: string;
  icon: string;
}

const isRecent = (item: unknown): item is RecentPage =>
  typeof item === 'object' &&
  item !== null &&
  'to' in item &&
  typeof item.to === 'string' &&
  'label' in item &&
  typeof item.label === 'string' &&
  'icon' in item &&
  typeof item.icon === 'string';

/** The latest first. What another version of the dashboard wrote may not be readable. */
export function readRecent(key: string): RecentPage[] {
  try {
    const items: unknown = JSON.parse(readPreference(prefix + key) ?? '[]');
    return Array.isArray(items) ? items.filter(isRecent) : [];
  } catch {
    // Not JSON: written by something else.
    return [];
  }
}

export function rememberRecent(key: string, page: RecentPage): void {
  const others = readRecent(key).filter(({ to }) => to !== page.to);
  writePreference(prefix + key, JSON.stringify([page, ...others].slice(0, kept)));
}

/** Called when the user logs out: they name contacts and campaigns. */
export const forgetRecent = (): void => removePreferences(prefix);
