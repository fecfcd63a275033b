import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import type { FilterFact, FilterTree } from './filters.rules.ts';
import { compileForOne } from './filters.store.ts';

/** More text than this is cut: facts are to be read. */
const longestText = 500;

/**
 * Judges one contact by a tree and by each of its filters, in one statement that finds the contact by its key.
 *
 * @returns null when there is no such contact
 */
export async function readFilterFacts(
  db: Db,
  { projectId, contactId }: { projectId: string; contactId: string },
  tree: FilterTree,
  now: Date = new Date(),
): Promise<{ matches: boolean; filters: FilterFact[] } | null> {
  const { matches, filters: compiled } = await compileForOne(db, projectId, tree, now);
  const list = (parts: Prisma.Sql[]): Prisma.Sql => Prisma.join(parts);
  const [row] = await db.$queryRaw<{ matches: boolean; each: boolean[]; actual: unknown[] }[]>`
    SELECT ${matches} AS "matches", ARRAY[${list(compiled.map((each) => each.matches))}]::boolean[] AS "each",
      to_jsonb(ARRAY[${list(compiled.map((each) => each.actual))}]::jsonb[]) AS "actual"
    FROM "Contact" c WHERE c."id" = ${contactId}::uuid AND ${ofProject('c."projectId"', projectId)}`;
  if (!row) return null;
  return {
    matches: row.matches,
    filters: compiled.map(({ path, filter: { field, operator, value, unit } }, index) => ({
      path,
      field,
      operator,
      ...(value === undefined ? {} : { value: shortened(value) }),
      ...(unit === undefined ? {} : { unit }),
      matches: row.each[index] ?? false,
      actual: shortened(row.actual[index] ?? null),
    })),
  };
}

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined || text.length <= longestText ? value : `${text.slice(0, longestText - 1)}…`;
}
