import type { Pool } from 'pg';

/** Which of these emails have no row. */
export async function missingEmails(db: Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT t.id FROM unnest($1::uuid[]) t(id) WHERE NOT EXISTS (SELECT FROM "Email" e WHERE e."id" = t.id)`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** How often the events of one name were stored, by their field `code`. */
export async function eventsByCode(db: Pool, projectId: string, name: string): Promise<Map<string, number>> {
  const { rows } = await db.query<{ code: string; count: number }>(
    `SELECT "data" ->> 'code' AS code, count(*)::int AS count FROM "Event" WHERE "projectId" = $1 AND "name" = $2 GROUP BY 1`,
    [projectId, name],
  );
  return new Map(rows.map(({ code, count }) => [code, count]));
}

/** Which of these emails are not noted as opened. */
export async function unopenedEmails(db: Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT "id" FROM "Email" WHERE "id" = ANY($1::uuid[]) AND "openedAt" IS NULL`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** The number of contacts of a project whose address begins so. */
export async function countContacts(db: Pool, projectId: string, prefix: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Contact" WHERE "projectId" = $1 AND starts_with("email", $2)`,
    [projectId, prefix],
  );
  return rows[0]?.count ?? 0;
}
