/** Above this number of contacts in one statement, tracked segments are recomputed in full instead of per contact. */
export const manyContacts = 10_000;

/** The longest slug, in characters. */
const longestSlug = 100;

/** A text in the form of a slug (behaviour B2.4): letters, digits and marks of every script, `_` and single hyphens. May be empty. */
export function slugOf(text: string): string {
  const kept = text
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\p{M}_\s-]/gu, '')
    .replace(/[\s-]+/g, '-');
  return trimmed(cut(trimmed(kept), longestSlug));
}

export const isSlug = (text: string): boolean => text !== '' && slugOf(text) === text;

/** The slug that a segment gets at its creation: that of its name, or its id where nothing of the name is left. */
export const firstSlug = ({ id, name }: { id: string; name: string }): string => slugOf(name) || id;

/** The first of `slug`, `slug-2`, `slug-3` and so on that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  for (let suffix = 1; ; suffix += 1) {
    const end = suffix === 1 ? '' : `-${suffix}`;
    const candidate = `${cut(slug, longestSlug - end.length)}${end}`;
    if (!taken.has(candidate)) return candidate;
  }
}

const trimmed = (text: string): string => text.replace(/^-|-$/g, '');

/** At most `length` characters, none of them in halves. */
const cut = (text: string, length: number): string => [...text].slice(0, length).join('');

/** Interval at which time-based conditions are re-evaluated and untracked segments recounted. */
export const recomputeSeconds = 300;
