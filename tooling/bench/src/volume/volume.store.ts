import type { Pool } from 'pg';

/** Gives a few emails, all over the project, a status that no other has. @returns how many */
export async function makeRare(db: Pool, projectId: string, every: number): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE "Email" SET "status" = 'COMPLAINED', "complainedAt" = now() WHERE "projectId" = $1 AND "status" = 'DELIVERED'
       AND ('x' || right("id"::text, 12))::bit(48)::bigint % $2 = 100`,
    [projectId, every],
  );
  return rowCount ?? 0;
}

/** The tallies of a project, as if its emails were from before there were any. */
export async function forgetTallies(db: Pool, projectId: string): Promise<void> {
  await db.query('DELETE FROM "EmailTallyEntry" WHERE "projectId" = $1', [projectId]);
  await db.query('DELETE FROM "EmailTally" WHERE "projectId" = $1', [projectId]);
  await db.query('UPDATE "Project" SET "emailsTallied" = false, "emailsTalliedTo" = NULL WHERE "id" = $1', [
    projectId,
  ]);
}

/** Emails of a project as its rows say. */
export async function countRows(db: Pool, projectId: string, status?: string): Promise<number> {
  const { rows } = await db.query<{ count: string }>(
    `SELECT count(*) FROM "Email" WHERE "projectId" = $1 AND "sourceType" <> 'SYSTEM' AND ($2::"EmailStatus" IS NULL OR "status" = $2)`,
    [projectId, status ?? null],
  );
  return Number(rows[0]?.count);
}

/** Bytes of a row of the table with its indexes. */
export async function bytesPerRow(db: Pool, table: string): Promise<number> {
  const { rows } = await db.query<{ bytes: string; rows: string }>(
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes, sum(greatest(c.reltuples, 0)) AS rows
     FROM pg_class c WHERE c.oid = quote_ident($1)::regclass OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = quote_ident($1)::regclass)`,
    [table],
  );
  return Number(rows[0]?.bytes) / Number(rows[0]?.rows);
}
