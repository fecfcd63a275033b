import type { Primitive } from '../../../audience/contacts/contract.ts';

/** A contact that becomes one with others, as it is stored. */
export interface MergedRow {
  id: string;
  email: string;
  externalId: string | null;
  subscribed: boolean;
  snoozedUntil: Date | null;
  /** its recipient or a bounce opted out, not a request */
  byRecipient: boolean;
  data: Record<string, Primitive>;
  createdAt: Date;
  updatedAt: Date;
}

export interface MergedState {
  externalId: string | null;
  subscribed: boolean;
  snoozedUntil: Date | null;
  byRecipient: boolean;
  data: Record<string, Primitive>;
}

/** The contact that the others become part of comes first: the oldest. */
export const byAge = (a: MergedRow, b: MergedRow): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/**
 * What several contacts are as one. The external id is that of the oldest that has one. Whoever is not subscribed decides: an opt-out before a pause, of several pauses the longest. Each key has
 * the value of the contact that changed last.
 *
 * @param optedOut whether the address opted out before, and its contact was deleted; null if it did not
 */
export function mergedState(
  rows: readonly MergedRow[],
  optedOut: { byRecipient: boolean } | null,
): MergedState {
  const left = rows.filter(({ subscribed, snoozedUntil }) => !subscribed && snoozedUntil === null);
  const isOut = left.length > 0 || optedOut !== null;
  const pauses = rows.flatMap(({ snoozedUntil }) => snoozedUntil?.getTime() ?? []);
  const ordered = rows.toSorted((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime() || byAge(a, b));
  return {
    externalId: rows.toSorted(byAge).find(({ externalId }) => externalId !== null)?.externalId ?? null,
    subscribed: !isOut && rows.every(({ subscribed }) => subscribed),
    snoozedUntil: isOut || pauses.length === 0 ? null : new Date(Math.max(...pauses)),
    byRecipient: left.some(({ byRecipient }) => byRecipient) || (optedOut?.byRecipient ?? false),
    data: Object.fromEntries(ordered.flatMap(({ data }) => Object.entries(data))),
  };
}
