import { type Db, type EmailStatus, Prisma } from '../../base/db/index.ts';
import { effectCtes, emailColumns } from './effects.ts';

interface OpenEmail {
  status: EmailStatus;
  batchId: string | null;
  isOfCampaign: boolean;
  isScheduled: boolean;
}

/** An email whose batch waits, and is locked until the end of the transaction: no claim takes it before. */
export interface WaitingEmail {
  projectId: string;
  id: string;
  batchId: string;
  /** it has a time ahead, and was not attempted */
  isScheduled: boolean;
}

/** Why the batch of an email cannot be locked: there is no such email, it is a campaign's, it is claimed, or it is settled. */
export type NotWaiting = 'missing' | 'campaign' | 'held' | 'settled';

/** An email moves to another batch when a claim splits its batch, or after an attempt: each time it is looked for again. */
const mostMoves = 20;

/**
 * Locks the waiting batch of an email, so that one row orders a claim and a change. Waits for a claim that holds the lock at present, and
 * then sees what it has done. `db` must be a transaction.
 */
export async function lockWaiting(db: Db, projectId: string, id: string): Promise<WaitingEmail | NotWaiting> {
  for (let moves = 0; moves < mostMoves; moves += 1) {
    const email = await findOpen(db, projectId, id);
    if (!email) return 'missing';
    if (email.isOfCampaign) return 'campaign';
    const { batchId } = email;
    if (batchId === null) return 'settled';
    const [batch] = await db.$queryRaw<{ isHeld: boolean }[]>`
      SELECT "token" IS NOT NULL AS "isHeld" FROM "DeliveryBatch" WHERE "id" = ${batchId}::uuid FOR UPDATE`;
    // The email may have left this batch while the lock was waited for.
    const locked = batch && (await findOpen(db, projectId, id));
    if (!locked || locked.batchId !== batchId) continue;
    return batch.isHeld ? 'held' : { projectId, id, batchId, isScheduled: locked.isScheduled };
  }
  return 'held';
}

async function findOpen(db: Db, projectId: string, id: string): Promise<OpenEmail | undefined> {
  const rows = await db.$queryRaw<OpenEmail[]>`
    SELECT "status", "batchId", "campaignId" IS NOT NULL OR "sourceType" = 'CAMPAIGN' AS "isOfCampaign",
      "status" = 'PENDING' AND "attempts" = 0 AND coalesce("scheduledAt" > clock_timestamp(), false) AS "isScheduled"
    FROM "Email" WHERE "id" = ${id}::uuid AND "projectId" IS NOT DISTINCT FROM ${projectId}::uuid AND "sourceType" <> 'SYSTEM'`;
  return rows[0];
}

/**
 * Takes an email out of its waiting batch: it becomes SKIPPED `cancelled`, or UNCERTAIN if an earlier attempt may have delivered it. The
 * batch must be locked by `lockWaiting`.
 */
export async function cancelWaiting(db: Db, { projectId, id, batchId }: WaitingEmail): Promise<void> {
  await db.$queryRaw(Prisma.sql`
WITH found AS MATERIALIZED (
  SELECT b."id" AS "groupId", 1::bigint AS n, NULL AS subject, b."projectId", NULL::uuid AS "campaignId", b."domainId", b."priority", b."again" AS retried,
    b."nextAttemptAt", b."firstAnsweredAt", false AS "stopped", NULL::uuid AS "token", clock_timestamp()::timestamptz(3) AS at, false AS late,
    'skipped' AS outcome, NULL AS error, 'cancelled' AS reason, false AS "hardBounce", NULL::jsonb AS diagnosis, NULL::float8 AS "waitMs",
    NULL AS "providerId", e.*
  FROM "DeliveryBatch" b CROSS JOIN LATERAL (
    SELECT ${emailColumns} FROM "Email" WHERE "id" = ${id}::uuid AND "batchId" = b."id" FOR UPDATE
  ) e
  WHERE b."id" = ${batchId}::uuid AND b."projectId" = ${projectId}::uuid
), ${effectCtes}, ended AS (
  DELETE FROM "DeliveryBatch" WHERE "id" = ${batchId}::uuid AND cardinality("emailIds") = 1
), shortened AS (
  UPDATE "DeliveryBatch" SET "emailIds" = array_remove("emailIds", ${id}::uuid) WHERE "id" = ${batchId}::uuid AND cardinality("emailIds") > 1
)
SELECT count(*)::int AS "count" FROM change`);
}

/** Has the emails of a locked batch sent at another time, which may be the present one. */
export async function moveWaiting(db: Db, { batchId }: WaitingEmail, at: Date): Promise<void> {
  await db.$executeRaw(Prisma.sql`
WITH batch AS (
  UPDATE "DeliveryBatch" SET "nextAttemptAt" = ${at}::timestamptz WHERE "id" = ${batchId}::uuid RETURNING "id", "emailIds"
)
UPDATE "Email" e SET "scheduledAt" = ${at}::timestamptz, "updatedAt" = now() FROM batch WHERE e."id" = ANY(batch."emailIds") AND e."batchId" = batch."id"`);
}
