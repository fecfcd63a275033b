import { audienceSql } from '@postrider/core/audience/segments';
import type { Db } from '@postrider/core/base/db';
import type { Pool } from 'pg';

const plans = `(ARRAY['free','pro','team'])[1 + n % 3]`;

/** Inserts contacts with five events each, spread over the last 50 days. */
export async function fillProject(db: Pool, projectId: string, contacts: number): Promise<void> {
  await db.query(
    `INSERT INTO "Contact" ("id", "projectId", "email", "subscribed", "data", "createdAt", "updatedAt")
     SELECT uuid7(), $1, 'p' || n || '@people.test', n % 20 <> 0,
       jsonb_build_object('name', 'Person ' || n, 'plan', ${plans}, 'score', n % 1000, 'city', 'city ' || n % 50000),
       now() - (n % 4320000) * interval '1 second', now()
     FROM generate_series(1, $2::int) n`,
    [projectId, contacts],
  );
  await db.query(
    `INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "createdAt")
     SELECT uuid7(), $1, 'CUSTOM', (ARRAY['seen','bought','searched','left','came back'])[1 + turn], '{}', c."id",
       now() - (abs(hashtext(c."email")) % 50 + turn) * interval '1 day'
     FROM "Contact" c CROSS JOIN generate_series(0, 4) turn WHERE c."projectId" = $1`,
    [projectId],
  );
  await db.query('VACUUM ANALYZE "Contact"');
  await db.query('ANALYZE "Event"');
}

/** The plan and time of counting a filter, using the product's own SQL expression. */
export async function explainCount(
  pool: Pool,
  db: Db,
  projectId: string,
  condition: unknown,
): Promise<string[]> {
  const expression = await audienceSql(db, projectId, {
    audienceType: 'FILTERED',
    audienceCondition: condition,
  });
  const values = [...expression.values, projectId];
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, COSTS OFF, SUMMARY ON) SELECT count(*) FROM "Contact" c
     WHERE c."projectId" = $${values.length}::uuid AND ${expression.text}`,
    values,
  );
  return rows.map((row) => row['QUERY PLAN']);
}

/** The reference for freezing: inserts the same rows into the same tables, without checking suppressions or addresses. */
export async function insertBare(
  db: Pool,
  projectId: string,
  campaignId: string,
  contentId: string,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `WITH email AS (
       INSERT INTO "Email" ("id", "projectId", "contactId", "to", "toHash", "type", "sourceType", "contentId", "tracked", "campaignId", "status")
       SELECT uuid7(), $1, c."id", c."email", substring(sha256(convert_to(c."email", 'UTF8')) FOR 16), 'MARKETING', 'CAMPAIGN', $3::uuid, true, $2::uuid, 'PENDING'
       FROM "Contact" c WHERE c."projectId" = $1 AND c."subscribed" RETURNING "id"
     ), delivery AS (
       INSERT INTO "DeliveryBatch" ("id", "projectId", "priority", "campaignId", "emailIds")
       SELECT uuid7(), $1, 4, $2::uuid, array_agg("id") FROM (SELECT "id", row_number() OVER () / 500 AS n FROM email) e GROUP BY n
     ) SELECT count(*)::int AS count FROM email`,
    [projectId, campaignId, contentId],
  );
  return rows[0]?.count ?? 0;
}

/** Removes the emails of a run, so that every round starts from the same state. */
export async function removeEmails(db: Pool, campaignId: string): Promise<void> {
  await db.query('DELETE FROM "DeliveryBatch" WHERE "campaignId" = $1', [campaignId]);
  await db.query('DELETE FROM "Email" WHERE "campaignId" = $1', [campaignId]);
  await db.query('VACUUM "Email"');
  await db.query('VACUUM "DeliveryBatch"');
}

/** Inserts a campaign with the status SENDING that is not frozen yet. */
export async function insertSendingCampaign(
  db: Pool,
  projectId: string,
  campaignId: string,
  from: string,
): Promise<void> {
  await db.query(
    `INSERT INTO "Campaign" ("id", "projectId", "name", "subject", "body", "from", "audienceType", "status", "sentAt")
     VALUES ($1, $2, 'Bench', 'News', '<p>News</p>', $3, 'ALL', 'SENDING', now())`,
    [campaignId, projectId, from],
  );
}

/** Changes the score of some contacts, so that they enter or leave a segment that filters by it. */
export async function changeScores(db: Pool, projectId: string, count: number, score: number): Promise<void> {
  await db.query(
    `UPDATE "Contact" SET "data" = "data" || jsonb_build_object('score', $3::int), "updatedAt" = now()
     WHERE "id" IN (SELECT "id" FROM "Contact" WHERE "projectId" = $1 ORDER BY "email" LIMIT $2)`,
    [projectId, count, score],
  );
}
