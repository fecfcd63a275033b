import type { Pool } from 'pg';
import { rowOf } from './import-rows.ts';

/** The reference in bare SQL with the same table and indexes: an upsert by address that merges the data. */
const upsertSql = `
  INSERT INTO "Contact" AS c ("id", "projectId", "email", "data", "subscribed")
  SELECT uuid7(), $1::uuid, row."email", row."data", true
  FROM jsonb_to_recordset($2::jsonb) AS row("email" text, "data" jsonb) ORDER BY row."email"
  ON CONFLICT ("projectId", "email") DO UPDATE SET "data" = c."data" || excluded."data", "updatedAt" = now()`;

/** Upserts rows 1 to `rows` in batches of the same size as the import. */
export async function upsertBare(pool: Pool, projectId: string, rows: number, batch: number): Promise<void> {
  for (let first = 1; first <= rows; first += batch) {
    const count = Math.min(batch, rows - first + 1);
    const values = Array.from({ length: count }, (_, index) => rowOf(first + index));
    await pool.query(upsertSql, [projectId, JSON.stringify(values)]);
  }
}
