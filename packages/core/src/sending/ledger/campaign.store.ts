import { constant, type Db, Prisma } from '../../db/index.ts';
import { priorities } from '../sending.rules.ts';

export type RetriedStatus = 'FAILED' | 'UNCERTAIN';

/**
 * Puts emails of a campaign with these statuses back into the queue, and subtracts them from its counters. Emails of
 * deleted contacts stay unchanged. An email whose sender domain was deleted gets a domain id that does not exist: the
 * claim fails it again with that reason.
 *
 * @returns how many were requeued
 */
export async function requeueEmails(
  db: Db,
  { projectId, campaignId }: { projectId: string; campaignId: string },
  statuses: readonly RetriedStatus[],
): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
WITH picked AS (
  SELECT e."id", e."status", e."contentId" FROM "Email" e
  WHERE e."projectId" = ${projectId}::uuid AND e."campaignId" = ${campaignId}::uuid
    AND e."status" = ANY(${[...statuses]}::"EmailStatus"[]) AND e."contactId" IS NOT NULL
  ORDER BY e."id" FOR UPDATE
), again AS (
  UPDATE "Email" e SET "status" = 'PENDING', "reason" = NULL, "error" = NULL, "updatedAt" = now()
  FROM picked WHERE e."id" = picked."id"
), delivery AS (
  INSERT INTO "Delivery" ("emailId", "projectId", "priority", "campaignId", "domainId")
  SELECT picked."id", ${projectId}::uuid, ${constant(priorities.CAMPAIGN)}, ${campaignId}::uuid, coalesce(
    (SELECT d."id" FROM "Domain" d WHERE d."projectId" = ${projectId}::uuid AND d."domain" = split_part(c."from", '@', 2)),
    ${campaignId}::uuid)
  FROM picked JOIN "Content" c ON c."id" = picked."contentId"
  ON CONFLICT DO NOTHING
), counted AS (
  UPDATE "CampaignCounter" SET
    "failedCount" = "failedCount" - (SELECT count(*) FROM picked WHERE "status" = 'FAILED'),
    "uncertainCount" = "uncertainCount" - (SELECT count(*) FROM picked WHERE "status" = 'UNCERTAIN')
  WHERE "campaignId" = ${campaignId}::uuid
)
SELECT count(*)::int AS count FROM picked`);
  return rows[0]?.count ?? 0;
}

/** Clears the campaign id of at most `limit` emails of a deleted campaign. @returns how many */
export async function detachEmails(db: Db, campaignId: string, limit: number): Promise<number> {
  return db.$executeRaw(Prisma.sql`
UPDATE "Email" e SET "campaignId" = NULL FROM (
  SELECT "id" FROM "Email" WHERE "campaignId" = ${campaignId}::uuid ORDER BY "id" LIMIT ${limit} FOR UPDATE
) picked WHERE e."id" = picked."id"`);
}
