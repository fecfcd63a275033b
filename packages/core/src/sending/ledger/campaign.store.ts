import { constant, type Db, Prisma } from '../../db/index.ts';
import { priorities } from '../sending.rules.ts';

export type RetriedStatus = 'FAILED' | 'UNCERTAIN';

/**
 * Puts emails of a campaign with these statuses back into the queue, and takes them off its counters. Those whose contact was
 * deleted stay as they are. An email whose sender domain is gone gets a domain that there is not: the claim fails it again
 * and says so.
 *
 * @returns how many wait again
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

/** Lets emails forget a campaign that was deleted, at most `limit`. @returns how many did */
export async function detachEmails(db: Db, campaignId: string, limit: number): Promise<number> {
  return db.$executeRaw(Prisma.sql`
UPDATE "Email" e SET "campaignId" = NULL FROM (
  SELECT "id" FROM "Email" WHERE "campaignId" = ${campaignId}::uuid ORDER BY "id" LIMIT ${limit} FOR UPDATE
) picked WHERE e."id" = picked."id"`);
}
