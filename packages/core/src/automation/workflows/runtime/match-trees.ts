import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { evaluateTrees } from '../../../audience/segments/index.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import type { Member } from './member.ts';

type MatchedMember = Pick<Member, 'contact' | 'context'> & {
  /** a clock of its own, in place of that of all */
  now?: Date;
};

/** The first of these trees that each member matches as it is in its set, by its index; null for none. */
export async function matchTrees(
  db: SqlDb,
  projectId: string,
  members: readonly MatchedMember[],
  trees: readonly FilterTree[],
  clock: { now: Date; timeZone: string },
): Promise<(number | null)[]> {
  const rows = members.map(({ contact: { id: contactId, ...contact }, context, now }, n) => ({
    ...{ n, contactId, ...contact, context },
    steps: {},
    ...(now && { at: now }),
  }));
  const found = await evaluateTrees(db, { projectId, ...clock, rows, branches: trees });
  return members.map((_, n) => found.get(n) ?? null);
}
