import type { Prisma, SqlDb } from '../../base/db/index.ts';
import { type FilterTree, readsOf } from './filters.rules.ts';
import { compileSegment, compileTree } from './filters.store.ts';
import { everything, nothing } from './values.store.ts';

/** The audience of a campaign or a trigger, as stored. */
export interface Audience {
  audienceType: 'ALL' | 'SEGMENT' | 'FILTERED';
  segmentId?: string | null;
  /** a tree that was read by `filterTree` before it was stored */
  audienceCondition?: unknown;
}

/**
 * One boolean expression over the alias `c` of "Contact", for a set, a count or a single contact; the statement restricts `c` to the
 * project. Subscriptions are not considered. A deleted segment has no members.
 *
 * @param now from when times in conditions count
 * @param options.live whether tracked segments that conditions refer to are evaluated, instead of looked up
 */
export async function audienceSql(
  db: SqlDb,
  projectId: string,
  { audienceType, segmentId, audienceCondition }: Audience,
  now: Date = new Date(),
  options: { live?: boolean } = {},
): Promise<Prisma.Sql> {
  if (audienceType === 'ALL') return everything;
  if (audienceType === 'SEGMENT')
    return segmentId ? compileSegment(db, projectId, segmentId, now, options) : nothing;
  return audienceCondition
    ? compileTree(db, projectId, audienceCondition as FilterTree, now, options)
    : nothing;
}

/** What an audience reads, for the columns `reads`. */
export function readsOfAudience({ audienceType, segmentId, audienceCondition }: Audience): string[] {
  if (audienceType === 'SEGMENT') return segmentId ? [`segment.${segmentId}`] : [];
  return audienceType === 'FILTERED' && audienceCondition ? readsOf(audienceCondition as FilterTree) : [];
}
