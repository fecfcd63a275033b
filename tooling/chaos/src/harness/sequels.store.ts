import type { Pool } from 'pg';

/** Has people open some emails of a campaign that have left, and click in some others. */
export async function readAndClick(db: Pool, campaignId: string): Promise<void> {
  await db.query(
    `UPDATE "Email" SET "openedAt" = now(), "clickedAt" = CASE WHEN get_byte(uuid_send("id"), 15) % 2 = 0 THEN now() END
     WHERE "campaignId" = $1 AND "sentAt" IS NOT NULL AND get_byte(uuid_send("id"), 15) % 3 = 0`,
    [campaignId],
  );
}

export interface FamilyEmail {
  id: string;
  campaignId: string;
  round: number;
  contactId: string;
  status: string;
  reason: string | null;
}

/** All emails of the campaigns of a family. */
export async function emailsOfFamily(db: Pool, familyId: string): Promise<FamilyEmail[]> {
  const { rows } = await db.query<FamilyEmail>(
    `SELECT e."id", e."campaignId", c."round", e."contactId", e."status"::text AS "status", e."reason"
     FROM "Campaign" c JOIN "Email" e ON e."campaignId" = c."id" WHERE c."id" = $1 OR c."familyId" = $1`,
    [familyId],
  );
  return rows;
}

/** The contacts that a campaign reached, and who of them opened it and clicked in it. */
export async function reachedBy(
  db: Pool,
  campaignId: string,
): Promise<{ contactId: string; opened: boolean; clicked: boolean }[]> {
  const { rows } = await db.query<{ contactId: string; opened: boolean; clicked: boolean }>(
    `SELECT "contactId", "openedAt" IS NOT NULL AS "opened", "clickedAt" IS NOT NULL AS "clicked" FROM "Email"
     WHERE "campaignId" = $1 AND "sentAt" IS NOT NULL`,
    [campaignId],
  );
  return rows;
}

/** How many emails of a campaign have left. */
export async function sentOf(db: Pool, campaignId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM "Email" WHERE "campaignId" = $1 AND "sentAt" IS NOT NULL`,
    [campaignId],
  );
  return rows[0]?.count ?? 0;
}
