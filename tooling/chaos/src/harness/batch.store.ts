import type { Pool } from 'pg';

/** The emails whose address begins so, by address: one of them, and how many there are. */
export async function emailsByAddress(
  db: Pool,
  prefix: string,
): Promise<Map<string, { id: string; count: number }>> {
  const { rows } = await db.query<{ to: string; id: string; count: number }>(
    `SELECT "to", min("id"::text) AS id, count(*)::int AS count FROM "Email" WHERE starts_with("to", $1) GROUP BY 1`,
    [prefix],
  );
  return new Map(rows.map(({ to, ...found }) => [to, found]));
}

export async function countEmails(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM "Email"`);
  return rows[0]?.count ?? 0;
}
