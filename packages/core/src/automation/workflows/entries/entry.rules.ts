import type { FilterTree } from '../../../audience/segments/filters.rules.ts';

/** Who may enter a workflow (behaviour B14.5), beside its trigger and `allowReentry`. */
export interface EntryRules {
  /** whom it must match at that moment */
  filter: FilterTree | null;
  /** the most entries of a contact */
  limit: number | null;
  /** how long the last entry of the contact must be ago */
  every: EntryInterval | null;
}

export const entryUnits = ['hours', 'days'] as const;

export interface EntryInterval {
  amount: number;
  unit: (typeof entryUnits)[number];
}

export const anybody: EntryRules = { filter: null, limit: null, every: null };

/** Rules as they are stored; a definition of before has none. */
export function entryOf(stored: unknown): EntryRules {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<EntryRules>;
  return { filter: given.filter ?? null, limit: given.limit ?? null, every: given.every ?? null };
}

const hourMs = 3_600_000;

/** Days are 24 hours: the rule is about time that has passed, not about calendars. */
export const intervalMs = ({ amount, unit }: EntryInterval): number =>
  amount * (unit === 'days' ? 24 * hourMs : hourMs);

/** Why a contact does not enter, in the order of the rules (behaviour B14.5). */
export const blockReasons = ['filter', 'active', 'again', 'limit', 'every'] as const;
export type BlockReason = (typeof blockReasons)[number];

export type BlockedCounts = Record<BlockReason, number>;

export const noneBlocked: BlockedCounts = { filter: 0, active: 0, again: 0, limit: 0, every: 0 };
