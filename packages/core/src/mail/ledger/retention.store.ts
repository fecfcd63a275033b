import { type Db, Prisma } from '../../base/db/index.ts';
import { byKey } from './by-key.ts';
import { firstIdOf } from './retention.rules.ts';

/** Emails share a content for a week; one more day allows for clock differences. */
const sharedMs = 8 * 86_400_000;

/** Emails outside of campaigns, created before `before`, that are still to be sent. */
const openBefore = (before: Date): Prisma.Sql => Prisma.sql`(
  SELECT u."id" FROM "DeliveryBatch" b CROSS JOIN LATERAL unnest(b."emailIds") AS u("id")
  WHERE b."campaignId" IS NULL AND u."id" < ${firstIdOf(before)}::uuid)`;

/** Contents outside of campaigns, created before `before` and with no email scheduled since, that no open email needs; oldest first. */
export async function findOldContents(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT c."id" FROM "Content" c
    WHERE c."createdAt" < ${before} AND c."body" IS NOT NULL AND c."sourceType" IN ('TRANSACTIONAL', 'WORKFLOW', 'TEST')
      AND c."id" NOT IN (
        SELECT e."contentId" FROM ${openBefore(new Date(before.getTime() + sharedMs))} d JOIN "Email" e ON e."id" = d."id"
        WHERE e."batchId" IS NOT NULL)
      AND NOT EXISTS (SELECT FROM "Email" s WHERE s."contentId" = c."id" AND s."scheduledAt" >= ${before})
    ORDER BY c."createdAt" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** The links of a content that is to be cleared. */
export interface ClearedContent {
  id: string;
  links: readonly string[];
}

/** Clears the texts of contents, but keeps the URLs of their links. */
export const clearContents = (db: Db, contents: readonly ClearedContent[]): Promise<number> => db.$executeRaw`
  UPDATE "Content" c SET "body" = NULL, "text" = NULL, "raw" = NULL, "links" = u."links"
  FROM jsonb_to_recordset(${JSON.stringify(contents)}::jsonb) AS u("id" uuid, "links" jsonb) WHERE c."id" = u."id"`;

/**
 * Clears a batch of contents that contacts which were erased since had got, now that no request shares them any more: subject, texts,
 * headers and the structure of a submitted message; the bytes of its attachments go by age. A content that somebody else got as well
 * stays, until the last of them is erased. The URLs of its links are kept, as links in old email go on working.
 *
 * @param linksOf the links of contents
 * @returns how many were looked at
 */
export async function clearErasedContents(
  db: Db,
  now: Date,
  limit: number,
  linksOf: (ids: readonly string[]) => Promise<readonly ClearedContent[]>,
): Promise<number> {
  const rows = await db.$queryRaw<{ id: string; isNeeded: boolean; isCleared: boolean }[]>`
    SELECT c."id", c."body" IS NULL AS "isCleared", EXISTS (
      SELECT FROM "Email" e WHERE e."contentId" = c."id" AND e."contentClearedAt" IS NULL) AS "isNeeded"
    FROM "Content" c WHERE c."eraseAt" < ${now} ORDER BY c."eraseAt" LIMIT ${limit}::int`;
  const unneeded = rows.filter(({ isNeeded }) => !isNeeded);
  const links = await linksOf(unneeded.filter(({ isCleared }) => !isCleared).map(({ id }) => id));
  await db.$executeRaw`
    WITH "link" AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(links)}::jsonb) AS u("id" uuid, "links" jsonb)
    ), "unneeded" AS (
      UPDATE "Content" c SET "eraseAt" = NULL, "subject" = '', "preheader" = NULL, "body" = NULL, "text" = NULL, "headers" = '{}', "attachments" = '[]',
        "raw" = NULL, "links" = coalesce((SELECT l."links" FROM "link" l WHERE l."id" = c."id"), c."links")
      WHERE c."id" = ANY(${unneeded.map(({ id }) => id)}::uuid[])
    )
    UPDATE "Content" SET "eraseAt" = NULL WHERE "id" = ANY(${rows.filter(({ isNeeded }) => isNeeded).map(({ id }) => id)}::uuid[])`;
  return rows.length;
}

export interface QueuePage {
  /** the last batch that was looked at; null at the end of the queue */
  next: string | null;
}

/**
 * Keeps the blobs of open emails until `until`: of those created before `before` in at most `limit` batches after `after`, by the ids of the
 * batches. An email that moves to another batch meanwhile is found there, because new batches come last.
 */
export async function keepBlobs(
  db: Db,
  { after, limit, before, until }: { after: string | null; limit: number; before: Date; until: Date },
): Promise<QueuePage> {
  const rows = await db.$queryRaw<{ last: string | null; count: number }[]>(Prisma.sql`
    WITH "page" AS MATERIALIZED (
      SELECT "id", "campaignId", "emailIds" FROM "DeliveryBatch" WHERE "id" > ${after ?? firstIdOf(new Date(0))}::uuid ORDER BY "id" LIMIT ${limit}::int
    ), "late" AS MATERIALIZED (
      SELECT u."id" FROM "page" p CROSS JOIN LATERAL unnest(p."emailIds") AS u("id")
      WHERE p."campaignId" IS NULL AND u."id" < ${firstIdOf(before)}::uuid
    ), "content" AS MATERIALIZED (
      SELECT DISTINCT e."contentId" AS "id" FROM "late" l
      CROSS JOIN LATERAL (SELECT "contentId" FROM "Email" WHERE ${byKey('"id"', 'l."id"')} AND "batchId" IS NOT NULL) e
    ), "needed" AS MATERIALIZED (
      SELECT DISTINCT c."projectId", decode(a."item" ->> 'blob', 'hex') AS "hash" FROM "content" n
      CROSS JOIN LATERAL (SELECT "projectId", "attachments", "raw" FROM "Content" WHERE ${byKey('"id"', 'n."id"')}) c
      CROSS JOIN LATERAL jsonb_array_elements(c."attachments" || coalesce(c."raw", '[]'::jsonb)) AS a("item")
    ), "kept" AS (
      -- Not for every sweep anew: half a day before the end is early enough.
      UPDATE "Blob" b SET "keptUntil" = ${until} FROM "needed" n
      WHERE b."projectId" = n."projectId" AND ${byKey('b."hash"', 'n."hash"')} AND b."keptUntil" < ${until}::timestamptz - interval '12 hours'
    )
    SELECT (SELECT "id" FROM "page" ORDER BY "id" DESC LIMIT 1) AS "last", (SELECT count(*) FROM "page")::int AS "count"`);
  const { last = null, count = 0 } = rows[0] ?? {};
  return { next: count < limit ? null : last };
}

/** Removes a batch of attachments and submitted messages that are not kept any longer. @returns how many were removed */
export const removeBlobs = (db: Db, now: Date, limit: number): Promise<number> => db.$executeRaw`
  DELETE FROM "Blob" WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM "Blob" WHERE "keptUntil" < ${now} ORDER BY "keptUntil" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))`;
