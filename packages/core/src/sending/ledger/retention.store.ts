import { type Db, Prisma } from '../../db/index.ts';
import { firstIdOf } from '../retention.rules.ts';

/** Emails share a content for a week; one more day allows for clock differences. */
const sharedMs = 8 * 86_400_000;

/** Emails outside of campaigns, created before `before`, that are still to be sent. */
const openBefore = (before: Date): Prisma.Sql => Prisma.sql`(
  SELECT u."id" FROM "DeliveryBatch" b CROSS JOIN LATERAL unnest(b."emailIds") AS u("id")
  WHERE b."campaignId" IS NULL AND u."id" < ${firstIdOf(before)}::uuid)`;

/** Contents outside of campaigns, created before `before`, that no open email needs; oldest first. */
export async function findOldContents(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT c."id" FROM "Content" c
    WHERE c."createdAt" < ${before} AND c."body" IS NOT NULL AND c."sourceType" IN ('TRANSACTIONAL', 'WORKFLOW', 'TEST')
      AND c."id" NOT IN (
        SELECT e."contentId" FROM ${openBefore(new Date(before.getTime() + sharedMs))} d JOIN "Email" e ON e."id" = d."id"
        WHERE e."batchId" IS NOT NULL)
    ORDER BY c."createdAt" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** Clears the texts of a content, but keeps the URLs of its links. */
export async function clearContent(db: Db, id: string, links: readonly string[]): Promise<void> {
  await db.content.updateMany({ where: { id }, data: { body: null, raw: Prisma.DbNull, links: [...links] } });
}

/**
 * Removes attachments and submitted messages created before `before` that no email needs: no open email, and none sent within the last day
 * after a longer wait.
 *
 * @returns how many were removed
 */
export async function removeOldBlobs(db: Db, before: Date, now: Date, limit: number): Promise<number> {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  return db.$executeRaw(Prisma.sql`
    WITH "old" AS MATERIALIZED (
      SELECT "projectId", "hash" FROM "Blob" WHERE "createdAt" < ${before} ORDER BY "createdAt" LIMIT ${limit}::int
    ), "late" AS (
      SELECT d."id" FROM ${openBefore(dayAgo)} d
      UNION
      SELECT v."emailId" FROM (SELECT DISTINCT "projectId" FROM "old") p
      JOIN "Event" v ON v."projectId" = p."projectId" AND v."name" IN ('email.sent', 'email.failed', 'email.skipped')
        AND v."createdAt" > ${dayAgo} AND v."emailId" < ${firstIdOf(dayAgo)}::uuid
    ), "needed" AS (
      SELECT DISTINCT c."projectId", decode(a."item" ->> 'blob', 'hex') AS "hash"
      FROM "late" JOIN "Email" e ON e."id" = "late"."id" JOIN "Content" c ON c."id" = e."contentId"
      CROSS JOIN LATERAL jsonb_array_elements(c."attachments" || coalesce(c."raw", '[]'::jsonb)) AS a("item")
    )
    DELETE FROM "Blob" b USING "old" o
    WHERE b."projectId" = o."projectId" AND b."hash" = o."hash"
      AND NOT EXISTS (SELECT FROM "needed" n WHERE n."projectId" = b."projectId" AND n."hash" = b."hash")`);
}
