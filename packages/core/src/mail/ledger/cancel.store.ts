import { type Db, Prisma, type SqlDb } from '../../base/db/index.ts';
import { byKey } from './by-key.ts';
import { effectCtes, emailColumns } from './effects.ts';

/**
 * Stops the batches of a campaign that processes have claimed: nothing more of them begins. To be called after the commit of a cancellation or
 * pause: what is claimed later reads the new state of the campaign.
 */
export async function stopCampaign(db: Db, campaignId: string): Promise<void> {
  await db.$executeRaw(Prisma.sql`
UPDATE "DeliveryBatch" b SET "stopped" = true FROM (
  SELECT "id" FROM "DeliveryBatch" WHERE "campaignId" = ${campaignId}::uuid AND "token" IS NOT NULL ORDER BY "id" FOR UPDATE
) held WHERE ${byKey('b."id"', 'held."id"')}`);
}

/**
 * Skips the emails of at most `limit` waiting batches of a campaign, which may be deleted; those that an earlier attempt may have delivered
 * become UNCERTAIN again.
 *
 * @returns how many batches
 */
export async function skipWaiting(
  db: SqlDb,
  { projectId, campaignId }: { projectId: string; campaignId: string },
  reason: string,
  limit: number,
): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
WITH waiting AS MATERIALIZED (
  SELECT * FROM "DeliveryBatch"
  WHERE "projectId" = ${projectId}::uuid AND "campaignId" = ${campaignId}::uuid AND "token" IS NULL
  LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
), email AS MATERIALIZED (
  SELECT w."id" AS "batchId", u.n, u."id" FROM waiting w CROSS JOIN LATERAL unnest(w."emailIds") WITH ORDINALITY AS u("id", n) ORDER BY u."id"
), found AS MATERIALIZED (
  SELECT m."batchId" AS "groupId", m.n, NULL AS subject, ${projectId}::uuid AS "projectId", ${campaignId}::uuid AS "campaignId",
    NULL::uuid AS "domainId", 0 AS "priority", false AS retried, now() AS "nextAttemptAt", NULL::timestamptz AS "firstAnsweredAt", false AS "stopped",
    NULL::uuid AS "token", clock_timestamp()::timestamptz(3) AS at, false AS late, 'skipped' AS outcome, NULL AS error, ${reason}::text AS reason,
    false AS "hardBounce", NULL::jsonb AS diagnosis, NULL::float8 AS "waitMs", NULL AS "heldBy", NULL::float8 AS until, NULL::timestamptz(3) AS "heldSince", NULL AS "providerId", e.*
  FROM email m CROSS JOIN LATERAL (SELECT ${emailColumns} FROM "Email" WHERE "id" = m."id" AND "batchId" = m."batchId" FOR UPDATE) e
), ${effectCtes}, ended AS (
  DELETE FROM "DeliveryBatch" b USING waiting w WHERE ${byKey('b."id"', 'w."id"')}
)
SELECT count(*)::int AS count FROM waiting`);
  return rows[0]?.count ?? 0;
}

/** Whether all emails of a campaign are settled: it has no batch. */
export async function isDrained(db: Db, campaignId: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ open: boolean }[]>(
    Prisma.sql`SELECT EXISTS (SELECT FROM "DeliveryBatch" WHERE "campaignId" = ${campaignId}::uuid) AS open`,
  );
  return !(rows[0]?.open ?? false);
}
