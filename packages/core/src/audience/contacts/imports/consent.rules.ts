import type { Column } from './header.rules.ts';
import { yesOrNo } from './yes-no.rules.ts';

/**
 * What a row says about the subscription of its person (behaviour B4.5 "Import"): `yes` in a column, `field` for a yes of the request about all rows,
 * `no` by the recipient, `request` for an opt-out that a request made, `snooze` for a pause, or nothing.
 */
export type Said = 'yes' | 'field' | 'nothing' | 'snooze' | 'request' | 'no';

/** Where rows of one person differ, the one counts that means less email. */
const strength: readonly Said[] = ['nothing', 'field', 'yes', 'snooze', 'request', 'no'];

export const stronger = (one: Said, other: Said): Said =>
  strength.indexOf(other) > strength.indexOf(one) ? other : one;

export interface Consent {
  said: Said;
  /** the end of a snooze */
  until: Date | null;
}

/**
 * The meaning of a cell of `status`: a status of contacts, or a word for yes or no. A pause without its end is a no; of who never stated anything it says
 * nothing, and no confirmation is waited for anywhere else.
 */
export function statusIn(cell: string): 'yes' | 'no' | 'nothing' | null {
  const word = cell.length < 64 ? cell.trim().toLowerCase() : '';
  if (word === 'snoozed') return 'no';
  if (word === 'never' || word === 'pending') return 'nothing';
  const meaning = yesOrNo(cell);
  return meaning === null ? null : meaning ? 'yes' : 'no';
}

export type ConsentColumn = Extract<
  Column['to'],
  'subscribed' | 'status' | 'snoozedUntil' | 'unsubscribedBy'
>;

export const isConsentColumn = (to: Column['to']): to is ConsentColumn =>
  to === 'subscribed' || to === 'status' || to === 'snoozedUntil' || to === 'unsubscribedBy';

/** What the cells of one row say together; `readDate` gives null for what is no date. */
export function consentOf(
  cells: readonly (readonly [ConsentColumn, string])[],
  readDate: (cell: string) => Date | null,
): Consent | { unread: number } {
  let [says, isLeaving, by]: [Said, boolean, string] = ['nothing', false, 'recipient'];
  let isNever = false;
  let until: Date | null = null;
  for (const [index, [to, cell]] of cells.entries()) {
    if (to === 'snoozedUntil') {
      until = readDate(cell);
      if (until === null) return { unread: index };
      continue;
    }
    if (to === 'unsubscribedBy') {
      by = cell.trim().toLowerCase();
      if (by !== 'recipient' && by !== 'request') return { unread: index };
      continue;
    }
    const meaning = meaningOf(to, cell);
    if (meaning === null) return { unread: index };
    isNever ||= meaning === 'nothing';
    says = stronger(says, meaning);
    isLeaving ||= to === 'status' && meaning === 'no' && cell.trim().toLowerCase() !== 'snoozed';
  }
  // In an export, who never stated anything is not subscribed either.
  if (isNever && says !== 'yes') return { said: 'nothing', until: null };
  // A paused contact is not subscribed, which is no opt-out.
  if (until !== null && !isLeaving) return { said: 'snooze', until };
  return { said: says === 'no' && by === 'request' ? 'request' : says, until: null };
}

/** What a cell says to the subscription; null for a cell that cannot be read. */
export const meaningOf = (to: 'subscribed' | 'status', cell: string): 'yes' | 'no' | 'nothing' | null =>
  to === 'status' ? statusIn(cell) : asWord(yesOrNo(cell));

const asWord = (meaning: boolean | null): 'yes' | 'no' | null =>
  meaning === null ? null : meaning ? 'yes' : 'no';

/** How a contact was before a row; `optedOut`: there is none, but its address has an opt-out on record. */
export type Before = 'unknown' | 'optedOut' | 'subscribed' | 'snoozed' | 'never' | 'unsubscribed';

export interface Outcome {
  after: 'subscribed' | 'snoozed' | 'never' | 'unsubscribed';
  /** which figure of the result it adds to, if any */
  counts: 'subscribed' | 'unsubscribed' | 'optedOut' | null;
}

/** What a row does to the subscription of its person: the statement of `import.store.ts` in other words, for a dry run. */
export function outcomeOf(before: Before, said: Said): Outcome {
  if (before === 'unknown') {
    if (said === 'yes' || said === 'field') return { after: 'subscribed', counts: 'subscribed' };
    if (said === 'nothing') return { after: 'never', counts: null };
    return { after: said === 'snooze' ? 'snoozed' : 'unsubscribed', counts: 'unsubscribed' };
  }
  const leaves = said === 'no' || said === 'request';
  if (before === 'never') {
    if (said === 'yes') return { after: 'subscribed', counts: 'subscribed' };
    return leaves ? { after: 'unsubscribed', counts: 'unsubscribed' } : { after: 'never', counts: null };
  }
  if (before === 'subscribed') {
    if (leaves) return { after: 'unsubscribed', counts: 'unsubscribed' };
    return said === 'snooze'
      ? { after: 'snoozed', counts: 'unsubscribed' }
      : { after: 'subscribed', counts: null };
  }
  if (before === 'snoozed')
    return leaves
      ? { after: 'unsubscribed', counts: 'unsubscribed' }
      : { after: 'snoozed', counts: 'optedOut' };
  return { after: 'unsubscribed', counts: 'optedOut' };
}
