import { type ConsentBasis, consentBases, longestSource, maxIp } from '../../consent/consent.rules.ts';
import type { Column, TimeColumn } from './header.rules.ts';
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

/** What a row says of a consent besides that it was given: recorded with the act, and decides what the subscription rests on. */
export interface Evidence {
  /** of our own export, which says what the subscription rested on; otherwise null */
  basis: ConsentBasis | null;
  at: Date | null;
  ip: string | null;
  source: string | null;
  confirmedAt: Date | null;
  confirmedIp: string | null;
}

export interface Consent {
  said: Said;
  /** the end of a snooze */
  until: Date | null;
  /** choices, by the numbers of topics */
  topics: ReadonlyMap<number, boolean>;
  /** of our own export, whether topics without a choice have their defaults; null: not said */
  defaults: boolean | null;
  evidence: Evidence | null;
}

const noTopics: ReadonlyMap<number, boolean> = new Map();

/** What a row says without a word about choices and evidence. */
export const plainly = (said: Said, until: Date | null = null): Consent => ({
  said,
  until,
  topics: noTopics,
  defaults: null,
  evidence: null,
});

/** What two rows of one person say together: the one counts that means less email, also of each topic. */
export function together(one: Consent, later: Consent): Consent {
  const said = stronger(one.said, later.said);
  const [states, other] = said === one.said ? [one, later] : [later, one];
  return {
    said,
    until: states.until,
    topics: choicesTogether(one.topics, later.topics),
    defaults: one.defaults === false || later.defaults === false ? false : (one.defaults ?? later.defaults),
    evidence: states.evidence ?? (other.said === said ? other.evidence : null),
  };
}

function choicesTogether(one: Consent['topics'], later: Consent['topics']): Consent['topics'] {
  if (later.size === 0) return one;
  if (one.size === 0) return later;
  const all = new Map(one);
  for (const [number, choice] of later) all.set(number, choice && one.get(number) !== false);
  return all;
}

/** The same when another row of the file says that the person left. */
export const leaving = (consent: Consent): Consent =>
  consent.said === 'no' ? consent : { ...consent, said: 'no', until: null, evidence: null };

/** What the subscription of a person rests on whom a row subscribes. @param stated by the request, about all rows without evidence of their own */
export function basisOf({ said, evidence }: Consent, stated: ConsentBasis | null): ConsentBasis {
  if (evidence?.basis) return evidence.basis;
  if (evidence?.confirmedAt) return 'confirmed';
  // A choice is a statement of its row as a yes is.
  return said === 'field' && evidence === null ? (stated ?? 'default') : 'given';
}

/** The choices of a row as the writers of acts take them; in order, so that a repeated import says the same. */
export function choicesOf({ topics }: Pick<Consent, 'topics'>): { yes: number[]; no: number[] } {
  const chosen = (choice: boolean): number[] =>
    [...topics]
      .flatMap(([number, each]) => (each === choice ? [number] : []))
      .toSorted((one, other) => one - other);
  return topics.size === 0 ? { yes: [], no: [] } : { yes: chosen(true), no: chosen(false) };
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

/** Columns that say who is subscribed: where a file has one, what the request says counts for no row. */
const stating = ['subscribed', 'status', 'snoozedUntil', 'unsubscribedBy', 'consent.unsubscribedAt'] as const;

const telling = [
  ...stating,
  'topic',
  'topicDefaults',
  'consentBasis',
  'consentedAt',
  'consent.at',
  'consent.ip',
  'consent.source',
  'consent.confirmedAt',
  'consent.confirmedIp',
] as const;

export type ConsentColumn = Extract<Column, { to: (typeof telling)[number] }>;

export const isConsentColumn = (column: Column): column is ConsentColumn =>
  telling.some((to) => to === column.to);

export const isStating = ({ to }: Column): boolean => stating.some((each) => each === to);

export interface ConsentCell {
  column: ConsentColumn;
  cell: string;
}

/** Reads a cell of a column with times; null for what is no date. */
export type ReadTime = (column: TimeColumn, cell: string) => Date | null;

interface Unread {
  /** place among the cells */
  unread: number;
  reason: string;
}

/** What the cells of one row say together. @param byForm what the request says, where no column states it */
export function consentOf(cells: readonly ConsentCell[], byForm: Said, readTime: ReadTime): Consent | Unread {
  const told = new Told(byForm);
  for (const [unread, { column, cell }] of cells.entries()) {
    const reason = told.take(column, cell, readTime);
    if (reason !== null) return { unread, reason };
  }
  return told.consent();
}

/** The cells of one row, one after the other. */
class Told {
  #says: Said;
  #isLeaving = false;
  #isNever = false;
  #by = 'recipient';
  #until: Date | null = null;
  #topics: Map<number, boolean> | null = null;
  #defaults: boolean | null = null;
  #evidence: Evidence | null = null;
  #leftAt: Date | null = null;
  /** of our own export, whose evidence is a time alone */
  #since: Date | null = null;
  #basis: ConsentBasis | null = null;

  constructor(byForm: Said) {
    this.#says = byForm;
  }

  /** @returns why the cell cannot be read, for the person who uploaded the file */
  take(column: ConsentColumn, cell: string, readTime: ReadTime): string | null {
    switch (column.to) {
      case 'subscribed':
      case 'status':
        return this.#state(column.to, cell);
      case 'topic':
        return this.#choose(column.number, cell);
      case 'topicDefaults':
        this.#defaults = yesOrNo(cell);
        return this.#defaults === null ? notYesOrNo : null;
      case 'unsubscribedBy':
        this.#by = cell.trim().toLowerCase();
        return this.#by === 'recipient' || this.#by === 'request' ? null : 'is neither recipient nor request';
      case 'consentBasis':
        this.#basis = consentBases.find((each) => each === cell.trim().toLowerCase()) ?? null;
        return this.#basis === null ? `is none of ${consentBases.join(', ')}` : null;
      case 'consent.ip':
        return this.#know({ ip: asText(cell, maxIp) });
      case 'consent.confirmedIp':
        return this.#know({ confirmedIp: asText(cell, maxIp) });
      case 'consent.source':
        return this.#know({ source: asText(cell, longestSource) });
      default:
        return this.#time(column, readTime(column, cell));
    }
  }

  #state(to: 'subscribed' | 'status', cell: string): string | null {
    const meaning = meaningOf(to, cell);
    if (meaning === null) return notYesOrNo;
    this.#isNever ||= meaning === 'nothing';
    this.#says = stronger(this.#says, meaning);
    this.#isLeaving ||= to === 'status' && meaning === 'no' && cell.trim().toLowerCase() !== 'snoozed';
    return null;
  }

  #choose(number: number, cell: string): string | null {
    const choice = yesOrNo(cell);
    if (choice === null) return notYesOrNo;
    this.#topics ??= new Map();
    this.#topics.set(number, choice);
    return null;
  }

  #time({ to }: TimeColumn, at: Date | null): string | null {
    if (at === null) return 'is not a date';
    if (to === 'snoozedUntil') {
      this.#until = at;
      return null;
    }
    if (at.getTime() > Date.now()) return 'is in the future';
    if (to === 'consentedAt') {
      this.#since = at;
      return null;
    }
    if (to === 'consent.at') return this.#know({ at });
    if (to === 'consent.confirmedAt') return this.#know({ confirmedAt: at });
    this.#says = 'no';
    this.#isLeaving = true;
    this.#leftAt = at;
    return null;
  }

  #know(more: Partial<Evidence>): null {
    this.#evidence = { ...(this.#evidence ?? nothingKnown), ...more };
    return null;
  }

  consent(): Consent {
    const topics = this.#topics ?? noTopics;
    const [said, until] = this.#said();
    return { said, until, topics, defaults: this.#defaults, evidence: this.#evidenceFor(said) };
  }

  #said(): [Said, Date | null] {
    // In an export, who never stated anything is not subscribed either.
    if (this.#isNever && this.#says !== 'yes' && this.#leftAt === null) return ['nothing', null];
    // A paused contact is not subscribed, which is no opt-out.
    if (this.#until !== null && !this.#isLeaving) return ['snooze', this.#until];
    return [this.#says === 'no' && this.#by === 'request' ? 'request' : this.#says, null];
  }

  #evidenceFor(said: Said): Evidence | null {
    if (said === 'no' || said === 'request')
      return this.#leftAt === null ? null : { ...nothingKnown, at: this.#leftAt };
    if (this.#basis === null && this.#since === null) {
      const known = this.#evidence;
      return known && { ...known, at: known.at ?? known.confirmedAt };
    }
    return { ...(this.#evidence ?? nothingKnown), basis: this.#basis, at: this.#since };
  }
}

const notYesOrNo = 'is neither yes nor no';

const nothingKnown: Evidence = {
  basis: null,
  at: null,
  ip: null,
  source: null,
  confirmedAt: null,
  confirmedIp: null,
};

const asText = (cell: string, longest: number): string => cell.trim().slice(0, longest).toWellFormed();

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
export function outcomeOf(before: Before, consent: Pick<Consent, 'said' | 'topics'>): Outcome {
  const { said } = consent;
  const leaves = said === 'no' || said === 'request';
  switch (before) {
    case 'unknown':
      if (said === 'yes' || said === 'field') return { after: 'subscribed', counts: 'subscribed' };
      if (said === 'snooze') return { after: 'snoozed', counts: 'unsubscribed' };
      return leaves ? { after: 'unsubscribed', counts: 'unsubscribed' } : chosenOf(consent);
    case 'never':
      if (said === 'yes') return { after: 'subscribed', counts: 'subscribed' };
      return leaves ? { after: 'unsubscribed', counts: 'unsubscribed' } : chosenOf(consent);
    case 'subscribed':
      if (leaves) return { after: 'unsubscribed', counts: 'unsubscribed' };
      return said === 'snooze'
        ? { after: 'snoozed', counts: 'unsubscribed' }
        : { after: 'subscribed', counts: null };
    case 'snoozed':
      return leaves
        ? { after: 'unsubscribed', counts: 'unsubscribed' }
        : { after: 'snoozed', counts: 'optedOut' };
    default:
      return { after: 'unsubscribed', counts: 'optedOut' };
  }
}

/** Of who never stated anything: a topic that is chosen subscribes to it alone, and a no to one is a statement. */
function chosenOf({ said, topics }: Pick<Consent, 'said' | 'topics'>): Outcome {
  const { yes, no } = choicesOf({ topics });
  if (yes.length > 0 && said !== 'snooze') return { after: 'subscribed', counts: 'subscribed' };
  return no.length > 0 ? { after: 'unsubscribed', counts: 'unsubscribed' } : { after: 'never', counts: null };
}
