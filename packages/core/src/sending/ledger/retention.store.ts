import { type Db, Prisma } from '../../db/index.ts';
import { firstIdOf } from '../retention.rules.ts';

/** Mail shares a content for a week; a day more for clocks that differ. */
const sharedMs = 8 * 86_400_000;

/** Contents of mail that is not a campaign's, made before `before`, that no open mail needs; oldest first. */
export async function findOldContents(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT c."id" FROM "Content" c
    WHERE c."createdAt" < ${before} AND c."body" IS NOT NULL AND c."sourceType" IN ('TRANSACTIONAL', 'WORKFLOW', 'TEST')
      AND c."id" NOT IN (
        SELECT e."contentId" FROM "Delivery" d JOIN "Email" e ON e."id" = d."emailId"
        WHERE d."emailId" < ${firstIdOf(new Date(before.getTime() + sharedMs))}::uuid)
    ORDER BY c."createdAt" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** Clears what a content said, but not where its links lead. */
export async function clearContent(db: Db, id: string, links: readonly string[]): Promise<void> {
  await db.content.updateMany({ where: { id }, data: { body: null, links: [...links] } });
}

/**
 * Removes attachments made before `before` that no mail needs: none that is open, and none that left within the last day after it had
 * waited for longer than that.
 *
 * @returns how many were removed
 */
export async function removeOldBlobs(db: Db, before: Date, now: Date, limit: number): Promise<number> {
  const dayAgo = new Date(now.getTime() - 86_400_000);
  return db.$executeRaw(Prisma.sql`
    WITH "old" AS MATERIALIZED (
      SELECT "projectId", "hash" FROM "Blob" WHERE "createdAt" < ${before} ORDER BY "createdAt" LIMIT ${limit}::int
    ), "late" AS (
      SELECT d."emailId" AS "id" FROM "Delivery" d WHERE d."emailId" < ${firstIdOf(dayAgo)}::uuid
      UNION
      SELECT v."emailId" FROM (SELECT DISTINCT "projectId" FROM "old") p
      JOIN "Event" v ON v."projectId" = p."projectId" AND v."name" IN ('email.sent', 'email.failed', 'email.skipped')
        AND v."createdAt" > ${dayAgo} AND v."emailId" < ${firstIdOf(dayAgo)}::uuid
    ), "needed" AS (
      SELECT DISTINCT c."projectId", decode(a."item" ->> 'blob', 'hex') AS "hash"
      FROM "late" JOIN "Email" e ON e."id" = "late"."id" JOIN "Content" c ON c."id" = e."contentId"
      CROSS JOIN LATERAL jsonb_array_elements(c."attachments") AS a("item")
    )
    DELETE FROM "Blob" b USING "old" o
    WHERE b."projectId" = o."projectId" AND b."hash" = o."hash"
      AND NOT EXISTS (SELECT FROM "needed" n WHERE n."projectId" = b."projectId" AND n."hash" = b."hash")`);
}
