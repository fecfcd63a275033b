import type { Pool } from 'pg';

/** How many emails of a project wait, and some of them, by chance. */
export async function waitingEmails(
  db: Pool,
  projectId: string,
  limit: number,
): Promise<{ count: number; ids: string[] }> {
  const { rows } = await db.query<{ id: string; count: number }>(
    `SELECT "id", (count(*) OVER ())::int AS count FROM "Email" WHERE "projectId" = $1 AND "status" = 'PENDING' ORDER BY random() LIMIT $2`,
    [projectId, limit],
  );
  return { count: rows[0]?.count ?? 0, ids: rows.map(({ id }) => id) };
}
