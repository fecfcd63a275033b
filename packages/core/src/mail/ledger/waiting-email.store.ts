import { type Db, type EmailStatus, Prisma, type SqlDb } from '../../base/db/index.ts';
import { effectCtes, emailColumns } from './effects.ts';

interface OpenEmail {
  status: EmailStatus;
  batchId: string | null;
  isOfCampaign: boolean;
  isScheduled: boolean;
  sharedMessageId: string | null;
}

/** An email, or those of a shared message, whose batches wait and are locked until the end of the transaction: no claim takes them before. */
export interface WaitingEmail {
  projectId: string;
  ids: string[];
  batchIds: string[];
  /** it has a time ahead, and was not attempted */
  isScheduled: boolean;
}

/**
 * Why the batch of an email cannot be locked: there is no such email, it is a campaign's, another one of its shared message decides for all,
 * it is claimed, or it is settled.
 */
export type NotWaiting = 'missing' | 'campaign' | 'shared' | 'held' | 'settled';

/** An email moves to another batch when a claim splits its batch, or after an attempt: each time it is looked for again. */
const mostMoves = 20;

/**
 * Locks the waiting batch of an email, so that one row orders a claim and a change; for the first email of a shared message those of all.
 * Waits for a claim that holds the lock at present, and then sees what it has done. `db` must be a transaction.
 */
export async function lockWaiting(db: Db, projectId: string, id: string): Promise<WaitingEmail | NotWaiting> {
  for (let moves = 0; moves < mostMoves; moves += 1) {
    const email = await findOpen(db, projectId, id);
    if (!email) return 'missing';
    if (email.isOfCampaign) return 'campaign';
    const { batchId, sharedMessageId } = email;
    if (sharedMessageId !== null) return sharedMessageId === id ? lockShared(db, projectId, id) : 'shared';
    if (batchId === null) return 'settled';
    const [batch] = await lockBatches(db, [batchId]);
    // The email may have left this batch while the lock was waited for.
    const locked = batch && (await findOpen(db, projectId, id));
    if (!locked || locked.batchId !== batchId) continue;
    return batch.isHeld
      ? 'held'
      : { projectId, ids: [id], batchIds: [batchId], isScheduled: locked.isScheduled };
  }
  return 'held';
}

/** In the order of delivery processes. */
const lockBatches = (db: Db, ids: readonly string[]): Promise<{ isHeld: boolean }[]> => db.$queryRaw`
  SELECT "token" IS NOT NULL AS "isHeld" FROM "DeliveryBatch" WHERE "id" = ANY(${[...ids]}::uuid[]) ORDER BY "id" FOR UPDATE`;

async function lockShared(db: Db, projectId: string, id: string): Promise<WaitingEmail | NotWaiting> {
  for (let moves = 0; moves < mostMoves; moves += 1) {
    const open = await findOpenOfShared(db, projectId, id);
    if (open.length === 0) return 'settled';
    const batchIds = [...new Set(open.map(({ batchId }) => batchId))];
    const batches = await lockBatches(db, batchIds);
    const locked = await findOpenOfShared(db, projectId, id);
    // Some may have left their batches while the locks were waited for.
    if (locked.some(({ batchId }) => !batchIds.includes(batchId)) || batches.length < batchIds.length)
      continue;
    if (batches.some(({ isHeld }) => isHeld)) return 'held';
    return {
      projectId,
      ids: locked.map((email) => email.id),
      batchIds,
      isScheduled: locked.every(({ isScheduled }) => isScheduled),
    };
  }
  return 'held';
}

const isScheduled = Prisma.sql`"status" = 'PENDING' AND "attempts" = 0 AND coalesce("scheduledAt" > clock_timestamp(), false)`;

/** The emails of a shared message that are not settled. */
const findOpenOfShared = (
  db: Db,
  projectId: string,
  id: string,
): Promise<{ id: string; batchId: string; isScheduled: boolean }[]> => db.$queryRaw`
  SELECT "id", "batchId", ${isScheduled} AS "isScheduled" FROM "Email"
  WHERE "sharedMessageId" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "batchId" IS NOT NULL ORDER BY "id"`;

async function findOpen(db: Db, projectId: string, id: string): Promise<OpenEmail | undefined> {
  const rows = await db.$queryRaw<OpenEmail[]>`
    SELECT "status", "batchId", "campaignId" IS NOT NULL OR "sourceType" = 'CAMPAIGN' AS "isOfCampaign", ${isScheduled} AS "isScheduled",
      "sharedMessageId"
    FROM "Email" WHERE "id" = ${id}::uuid AND "projectId" IS NOT DISTINCT FROM ${projectId}::uuid AND "sourceType" <> 'SYSTEM'`;
  return rows[0];
}

/**
 * Takes emails out of their waiting batches: they become SKIPPED `cancelled`, or UNCERTAIN if an earlier attempt may have delivered them. The
 * batches must be locked by `lockWaiting`.
 */
export const cancelWaiting = (db: Db, email: WaitingEmail): Promise<void> =>
  skipEmails(db, email, 'cancelled');

/** The same with another reason. The batches must be locked, and wait. */
export async function skipEmails(
  db: SqlDb,
  { projectId, ids, batchIds }: Omit<WaitingEmail, 'isScheduled'>,
  reason: 'cancelled' | 'exited',
): Promise<void> {
  await db.$queryRaw(Prisma.sql`
WITH email AS MATERIALIZED (
  SELECT ${emailColumns}, "batchId" FROM "Email" WHERE "id" = ANY(${ids}::uuid[]) AND "projectId" = ${projectId}::uuid ORDER BY "id" FOR UPDATE
), found AS MATERIALIZED (
  SELECT b."id" AS "groupId", row_number() OVER (ORDER BY e."id") AS n, NULL AS subject, b."projectId", NULL::uuid AS "campaignId", b."domainId", b."priority", b."again" AS retried,
    b."nextAttemptAt", b."firstAnsweredAt", false AS "stopped", NULL::uuid AS "token", clock_timestamp()::timestamptz(3) AS at, false AS late,
    'skipped' AS outcome, NULL AS error, ${reason}::text AS reason, false AS "hardBounce", NULL::jsonb AS diagnosis, NULL::float8 AS "waitMs",
    NULL AS "heldBy", NULL::float8 AS until, NULL::timestamptz(3) AS "heldSince", NULL AS "providerId", e.*
  FROM email e JOIN "DeliveryBatch" b ON b."id" = e."batchId"
  WHERE b."id" = ANY(${batchIds}::uuid[]) AND b."projectId" = ${projectId}::uuid
), ${effectCtes}, ended AS (
  DELETE FROM "DeliveryBatch" WHERE "id" = ANY(${batchIds}::uuid[]) AND "emailIds" <@ ${ids}::uuid[]
), shortened AS (
  UPDATE "DeliveryBatch" SET "emailIds" = ARRAY(SELECT u FROM unnest("emailIds") WITH ORDINALITY AS u(u, n) WHERE u <> ALL(${ids}::uuid[]) ORDER BY n)
  WHERE "id" = ANY(${batchIds}::uuid[]) AND NOT "emailIds" <@ ${ids}::uuid[]
)
SELECT count(*)::int AS "count" FROM change`);
}

/** Has the emails of locked batches sent at another time, which may be the present one. */
export async function moveWaiting(db: Db, { batchIds }: WaitingEmail, at: Date): Promise<void> {
  await db.$executeRaw(Prisma.sql`
WITH batch AS (
  UPDATE "DeliveryBatch" SET "nextAttemptAt" = ${at}::timestamptz WHERE "id" = ANY(${batchIds}::uuid[]) RETURNING "id", "emailIds"
)
UPDATE "Email" e SET "scheduledAt" = ${at}::timestamptz, "updatedAt" = now() FROM batch WHERE e."id" = ANY(batch."emailIds") AND e."batchId" = batch."id"`);
}
