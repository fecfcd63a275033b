import type { Db } from '../../base/db/index.ts';

/** How many contacts of a project were ever removed, by the rows that a trigger writes with each removal. */
export async function countRemoved(db: Db, projectId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ removed: number }[]>`
    SELECT coalesce(sum("removed"), 0)::float8 AS "removed" FROM "ContactCount" WHERE "projectId" = ${projectId}::uuid`;
  return row?.removed ?? 0;
}
