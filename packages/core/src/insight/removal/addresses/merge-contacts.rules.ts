import { type ConsentBasis, consentBases } from '../../../audience/consent/consent.rules.ts';
import type { Primitive } from '../../../audience/contacts/contract.ts';

/** A contact that becomes one with others, as it is stored. */
export interface MergedRow {
  id: string;
  email: string;
  externalId: string | null;
  subscribed: boolean;
  snoozedUntil: Date | null;
  pendingUntil: Date | null;
  stated: boolean;
  /** its recipient or a bounce opted out, not a request */
  byRecipient: boolean;
  topicsOn: number[];
  topicsOff: number[];
  topicDefaults: boolean;
  consentBasis: ConsentBasis | null;
  consentedAt: Date | null;
  data: Record<string, Primitive>;
  createdAt: Date;
  updatedAt: Date;
}

export interface MergedState {
  externalId: string | null;
  subscribed: boolean;
  snoozedUntil: Date | null;
  pendingUntil: Date | null;
  stated: boolean;
  byRecipient: boolean;
  topicsOn: number[];
  topicsOff: number[];
  topicDefaults: boolean;
  consentBasis: ConsentBasis | null;
  consentedAt: Date | null;
  data: Record<string, Primitive>;
}

/** The contact that the others become part of comes first: the oldest. */
export const byAge = (a: MergedRow, b: MergedRow): number =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1);

/**
 * What several contacts are as one. The external id is that of the oldest that has one. Whoever has opted out decides, before who has paused, of several
 * pauses the longest; who never stated anything does not. Any "no" to a topic wins. Each key has the value of the contact that changed last.
 *
 * @param optedOut whether the address opted out before, and its contact was deleted; null if it did not
 */
export function mergedState(
  rows: readonly MergedRow[],
  optedOut: { byRecipient: boolean } | null,
): MergedState {
  const left = rows.filter(
    ({ subscribed, snoozedUntil, stated }) => !subscribed && snoozedUntil === null && stated,
  );
  const isOut = left.length > 0 || optedOut !== null;
  const pauses = rows.flatMap(({ snoozedUntil }) => snoozedUntil?.getTime() ?? []);
  const ordered = rows.toSorted((a, b) => a.updatedAt.getTime() - b.updatedAt.getTime() || byAge(a, b));
  const subscribed = !isOut && pauses.length === 0 && rows.some((row) => row.subscribed);
  const agreed = subscribed || (!isOut && pauses.length > 0);
  const topicsOff = sortedTopics(rows.flatMap((row) => row.topicsOff));
  const pending = rows.flatMap(({ pendingUntil }) => pendingUntil?.getTime() ?? []);
  const consents = rows.flatMap(({ consentedAt }) => consentedAt?.getTime() ?? []);
  return {
    externalId: rows.toSorted(byAge).find(({ externalId }) => externalId !== null)?.externalId ?? null,
    subscribed,
    snoozedUntil: isOut || pauses.length === 0 ? null : new Date(Math.max(...pauses)),
    pendingUntil: pending.length === 0 ? null : new Date(Math.max(...pending)),
    stated: isOut || rows.some(({ stated }) => stated),
    topicsOn: sortedTopics(rows.flatMap((row) => row.topicsOn)).filter((topic) => !topicsOff.includes(topic)),
    topicsOff,
    topicDefaults: rows.every(({ topicDefaults }) => topicDefaults),
    consentBasis: agreed ? weakest(rows.flatMap(({ consentBasis }) => consentBasis ?? [])) : null,
    consentedAt: agreed && consents.length > 0 ? new Date(Math.max(...consents)) : null,
    byRecipient: left.some(({ byRecipient }) => byRecipient) || (optedOut?.byRecipient ?? false),
    data: Object.fromEntries(ordered.flatMap(({ data }) => Object.entries(data))),
  };
}

const sortedTopics = (topics: readonly number[]): number[] => [...new Set(topics)].sort((a, b) => a - b);

/** Of two people's reasons to be mailed, the one that says less holds for both. */
const weakest = (bases: readonly ConsentBasis[]): ConsentBasis | null =>
  consentBases.find((basis) => bases.includes(basis)) ?? null;
