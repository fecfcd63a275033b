import type { Pool } from 'pg';

/** The emails of a campaign, oldest first. */
export async function emailIdsOf(db: Pool, campaignId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT "id" FROM "Email" WHERE "campaignId" = $1 ORDER BY "id"',
    [campaignId],
  );
  return rows.map(({ id }) => id);
}

/** How many clicks of people are recorded for these emails. */
export async function countClicks(db: Pool, emailIds: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Interaction" WHERE "emailId" = ANY ($1::uuid[]) AND "type" = 'click' AND NOT "bot"`,
    [emailIds],
  );
  return rows[0]?.count ?? 0;
}

/** How many clicks of people these emails count, those above the limit of rows included. */
export async function countAllClicks(db: Pool, campaignId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT sum("clicks")::int AS count FROM "Email" WHERE "campaignId" = $1',
    [campaignId],
  );
  return rows[0]?.count ?? 0;
}
