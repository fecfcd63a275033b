import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { evaluateTrees } from '../../../audience/segments/index.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import type { Member } from './member.ts';

/** The first of these trees that each member matches as it is in its set, by its index; null for none. */
export async function matchTrees(
  db: SqlDb,
  projectId: string,
  members: readonly Member[],
  trees: readonly FilterTree[],
  clock: { now: Date; timeZone: string },
): Promise<(number | null)[]> {
  const rows = members.map(({ contact: { id: contactId, ...contact }, context }, n) => ({
    ...{ n, contactId, ...contact, context },
    steps: {},
  }));
  const found = await evaluateTrees(db, { projectId, ...clock, rows, branches: trees });
  return members.map((_, n) => found.get(n) ?? null);
}
