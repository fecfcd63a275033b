import { Prisma, type SqlDb } from '../../base/db/index.ts';
import { skipWaiting } from '../../mail/ledger/index.ts';
import type { CampaignStatusReason } from './campaigns.rules.ts';
import { reportCancelled } from './campaigns.store.ts';

const restored: CampaignStatusReason = 'restored';

/** Batches skipped by one statement. */
const batchesAtOnce = 10;

/**
 * Cancels the campaigns of a restored database that may have been sent to contacts of whom it knows nothing: those that were to start until then,
 * and those whose audience was not written down completely. Retries that were going on end, because the same emails may have been sent again.
 *
 * @returns how many were cancelled
 */
export async function cancelUnknown(db: SqlDb, lostUntil: Date): Promise<number> {
  const cancelled = await db.$queryRaw<{ id: string; projectId: string }[]>(Prisma.sql`
WITH "cancelled" AS (
  UPDATE "Campaign" SET "status" = 'CANCELLED', "statusReason" = ${restored}, "pausedAt" = NULL, "pauseReason" = NULL, "retryBefore" = NULL,
    "retryStatuses" = '{}', "wakeSeq" = "wakeSeq" + 1, "updatedAt" = now()
  WHERE ("status" = 'SCHEDULED' AND coalesce("scheduledFor" <= ${lostUntil}::timestamptz, true))
    OR ("status" = 'SENDING' AND ("frozenAt" IS NULL OR "frozenToId" IS NOT NULL))
  RETURNING *
), "reported" AS (${reportCancelled('"cancelled"')}), "unasked" AS (
  UPDATE "Approval" a SET "status" = 'EXPIRED' FROM "cancelled" c WHERE a."campaignId" = c."id" AND a."status" = 'PENDING' AND a."input" IS NULL
)
SELECT "id"::text AS "id", "projectId"::text AS "projectId" FROM "cancelled"`);
  for (const { id, projectId } of cancelled)
    while ((await skipWaiting(db, { projectId, campaignId: id }, 'cancelled', batchesAtOnce)) > 0);
  await db.$executeRaw`
    UPDATE "Campaign" SET "retryBefore" = NULL, "retryStatuses" = '{}', "wakeSeq" = "wakeSeq" + 1, "updatedAt" = now() WHERE "retryBefore" IS NOT NULL`;
  return cancelled.length;
}

/** Opens campaigns that were closed, because emails of theirs wait again. */
export const reopenCampaigns = (db: SqlDb, ids: readonly string[]): Promise<number> => db.$executeRaw`
  UPDATE "Campaign" SET "status" = 'SENDING', "closedAt" = NULL, "wakeSeq" = "wakeSeq" + 1, "updatedAt" = now()
  WHERE "id" = ANY(${[...ids]}::uuid[]) AND "status" = 'SENT'`;
