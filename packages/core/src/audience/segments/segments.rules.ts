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

/** Interval at which untracked segments are recounted, and tracked ones computed that read what nothing reports. */
export const recomputeSeconds = 300;

/** Counting takes at most this part of the time. */
const countingShare = 0.01;

/** When an untracked segment is counted again. @param tookMs what counting took this time */
export const nextCountAt = (tookMs: number, from: Date): Date =>
  new Date(from.getTime() + Math.max(recomputeSeconds * 1_000, tookMs / countingShare));

const dayMs = 86_400_000;
/** The wheel has the moments of this time (behaviour B4.8). Longer than from one pass to the next, so that a pass may be late. */
export const wheelMs = 26 * 3_600_000;
/** A pass that comes this early is the one of its day. */
const passEarlyMs = 60_000;

/** The next whole pass of a tracked segment: once a day, at a time that follows from its id, so that not all are computed together. */
export function nextPassAt(id: string, from: Date): Date {
  const slot = (Number.parseInt(id.slice(-8), 16) % (dayMs / 1_000)) * 1_000;
  const earliest = from.getTime() + passEarlyMs;
  const ofDay = Math.floor(earliest / dayMs) * dayMs + slot;
  return new Date(ofDay > earliest ? ofDay : ofDay + dayMs);
}

/** Whether every change of what a condition reads has the contacts evaluated, so that a tracked segment needs no computation for it. */
export const isReported = (reads: readonly string[]): boolean =>
  reads.every((each) => !each.startsWith('topic.') && !unreported.has(each));

/** What an email becomes without an event. The default of a topic is not of a contact either. */
const unreported: ReadonlySet<string> = new Set(['email.unsubscribed', 'email.cancelled']);
