/** What a key does: open a page, create a record of the present page, or show a dialog. */
export type ShortcutTarget = { page: string } | 'create' | 'help';

/** How long the second key of a sequence may take. */
export const sequenceMs = 1_500;

interface Pressed {
  target: ShortcutTarget | null;
  /** Whether the next key belongs to this one. */
  leads: boolean;
}

/**
 * What a key means outside of a field.
 *
 * @param afterG whether `g` was pressed shortly before
 * @param pages the page of each key that follows `g`
 */
export function shortcutOf(key: string, afterG: boolean, pages: ReadonlyMap<string, string>): Pressed {
  if (afterG) {
    const page = pages.get(key);
    return { target: page === undefined ? null : { page }, leads: false };
  }
  if (key === 'g') return { target: null, leads: true };
  if (key === 'c') return { target: 'create', leads: false };
  if (key === '?') return { target: 'help', leads: false };
  return { target: null, leads: false };
}

const creators: Readonly<Record<string, string>> = {
  campaigns: 'campaigns/new',
  templates: 'templates/new',
  segments: 'segments/new',
  workflows: 'workflows/new',
  contacts: 'contacts#add',
};

/** The page that creates a record of the kind that the present page lists; null where nothing is created. */
export const creatorOf = (page: string): string | null => creators[page] ?? null;
