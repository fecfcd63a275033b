import type { Pool } from 'pg';

/** How many of these ids have no row. */
export async function missingRows(
  db: Pool,
  { emails, events }: { emails: readonly string[]; events: readonly string[] },
): Promise<{ emails: number; events: number }> {
  const { rows } = await db.query<{ emails: number; events: number }>(
    `SELECT (SELECT count(*)::int FROM unnest($1::uuid[]) AS t("id") WHERE NOT EXISTS (SELECT FROM "Email" e WHERE e."id" = t."id")) AS emails,
            (SELECT count(*)::int FROM unnest($2::uuid[]) AS t("id") WHERE NOT EXISTS (SELECT FROM "Event" e WHERE e."id" = t."id")) AS events`,
    [emails, events],
  );
  return rows[0] ?? { emails: emails.length, events: events.length };
}
