import type { Pool } from 'pg';

export interface TestRow {
  status: string;
  testState: string | null;
  testStartedAt: Date | null;
  testDecidedAt: Date | null;
  /** the number of the variant */
  testWinner: number | null;
}

export async function readTest(db: Pool, campaignId: string): Promise<TestRow | undefined> {
  const { rows } = await db.query<TestRow>(
    `SELECT "status"::text AS "status", "testState", "testStartedAt", "testDecidedAt", "testWinner" FROM "Campaign" WHERE "id" = $1`,
    [campaignId],
  );
  return rows[0];
}

/** Has the tests of campaigns end in a moment, as if their hours had passed. */
export const endTests = (db: Pool, campaignIds: readonly string[], inMs: number): Promise<unknown> =>
  db.query(
    `UPDATE "Campaign" SET "testEndsAt" = now() + $2::int * interval '1 millisecond' WHERE "id" = ANY($1::uuid[])`,
    [campaignIds, inMs],
  );

/** Has people click in some emails of a variant. */
export const clickIn = (db: Pool, campaignId: string, variant: number, count: number): Promise<unknown> =>
  db.query(
    `UPDATE "Email" SET "clickedAt" = now() WHERE "id" = ANY(ARRAY(
       SELECT "id" FROM "Email" WHERE "campaignId" = $1 AND "variant" = $2 AND "sentAt" IS NOT NULL LIMIT $3))`,
    [campaignId, variant, count],
  );

export interface TestedEmail {
  id: string;
  campaignId: string;
  variant: number | null;
}

export async function testedEmails(db: Pool, campaignIds: readonly string[]): Promise<TestedEmail[]> {
  const { rows } = await db.query<TestedEmail>(
    'SELECT "id", "campaignId", "variant" FROM "Email" WHERE "campaignId" = ANY($1::uuid[])',
    [campaignIds],
  );
  return rows;
}

/** How often each campaign has told that its test is decided. */
export async function decisionsTold(db: Pool, campaignIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ id: string; count: number }>(
    `SELECT "data" ->> 'campaignId' AS "id", count(*)::int AS "count" FROM "Event"
     WHERE "name" = 'campaign.test_decided' AND "data" ->> 'campaignId' = ANY($1::text[]) GROUP BY 1`,
    [campaignIds],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}
