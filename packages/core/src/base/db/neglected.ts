import { Prisma } from './generated/client.ts';
import type { SqlDb } from './plain-transaction.ts';

/** A row whose workflow `reconcile` signals again, and since when it waits. */
export interface NeglectedRow {
  id: string;
  since: Date;
}

/**
 * One keyset page of neglected rows, oldest first.
 *
 * @param parts queries with the columns `id` and `since`, each over an index on `since`; a row that several find may be listed repeatedly
 * @param after the last row of the page before; null for the first page
 */
export function findNeglectedRows(
  db: Pick<SqlDb, '$queryRaw'>,
  parts: readonly Prisma.Sql[],
  after: NeglectedRow | null,
  limit: number,
): Promise<NeglectedRow[]> {
  const later = after
    ? Prisma.sql`WHERE ("since", "id") > (${after.since}, ${after.id}::uuid)`
    : Prisma.empty;
  const pages = parts.map(
    (part) =>
      Prisma.sql`(SELECT "id", "since" FROM (${part}) part ${later} ORDER BY "since", "id" LIMIT ${limit}::int)`,
  );
  return db.$queryRaw<NeglectedRow[]>(Prisma.sql`
SELECT "id", min("since") AS "since" FROM (${Prisma.join(pages, ' UNION ALL ')}) neglected
GROUP BY "id" ORDER BY 2, 1 LIMIT ${limit}::int`);
}
