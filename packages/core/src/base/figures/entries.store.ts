import { type Db, Prisma } from '../db/index.ts';

/** Tables of what is not added up yet, by project. */
type EntryTable = 'FigureEntry' | 'StepFigureEntry' | 'EmailTallyEntry';

/** Projects with entries that are not added up: one look into the index for each. */
export async function projectsWithEntries(db: Db, table: EntryTable): Promise<string[]> {
  const name = Prisma.raw(`"${table}"`);
  const rows = await db.$queryRaw<{ projectId: string }[]>`
    WITH RECURSIVE p AS (
      (SELECT "projectId" FROM ${name} ORDER BY "projectId" LIMIT 1)
      UNION ALL
      SELECT (SELECT e."projectId" FROM ${name} e WHERE e."projectId" > p."projectId" ORDER BY e."projectId" LIMIT 1)
      FROM p WHERE p."projectId" IS NOT NULL
    ) SELECT "projectId" FROM p WHERE "projectId" IS NOT NULL`;
  return rows.map(({ projectId }) => projectId);
}
