import type { Pool } from 'pg';
import { constant, type Db, Prisma, plainTransaction, type SqlDb } from '../../base/db/index.ts';
import {
  type CampaignCounts,
  type CountedColumn,
  countedColumns,
  countedSums,
  skipReason,
} from './campaign.store.ts';

/** Up to which email, in the order of projects and then of creation, a sweep has looked. */
export interface SweptTo {
  projectId: string;
  createdAt: Date;
  id: string;
}

const noId = '00000000-0000-0000-0000-000000000000';
export const sweepBegin: SweptTo = { projectId: noId, createdAt: new Date(0), id: noId };

/** Every row is found by an index, whatever statistics say of projects, campaigns and emails that they do not know. */
const byIndex = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
  enable_sort: 'off',
  jit: 'off',
};

interface Chosen {
  ids: string[];
  contentIds: string[];
  /** null when there is none beyond */
  next: SweptTo | null;
}

/** Whether nothing of an email is to be done, and it ended so long ago: one that waited for a year is kept from when it was sent. */
const isOver = (
  before: Date,
): Prisma.Sql => Prisma.sql`("batchId" IS NULL AND "status" NOT IN ('PENDING', 'SENDING')
  AND "sourceType" <> 'SYSTEM' AND coalesce("sentAt", "updatedAt") < ${before}::timestamptz)`;

/**
 * The next old emails that can be removed, and whose rows are now locked: a report or a click comes before or finds nothing. Rows that somebody else has locked
 * are left for the next run, so that this one waits for nobody.
 *
 * A campaign is locked with its whole family: neither a retry nor a sequel begins meanwhile, and each of them sees afterwards that emails are missing.
 */
async function chooseExpired(db: SqlDb, before: Date, after: SweptTo, limit: number): Promise<Chosen> {
  const [row] = await db.$queryRaw<
    (Omit<Chosen, 'next'> & { count: number } & { [Column in keyof SweptTo]: SweptTo[Column] | null })[]
  >(Prisma.sql`
WITH "page" AS MATERIALIZED (
  SELECT e.* FROM (
    SELECT "id", CASE WHEN "id" = ${after.projectId}::uuid THEN ${after.createdAt}::timestamptz ELSE '-infinity' END AS "at",
      CASE WHEN "id" = ${after.projectId}::uuid THEN ${after.id}::uuid ELSE '${constant(noId)}'::uuid END AS "after"
    FROM "Project" WHERE "id" >= ${after.projectId}::uuid ORDER BY "id"
  ) p CROSS JOIN LATERAL (
    SELECT "id", "projectId", "createdAt", "campaignId", "sharedMessageId", "workflowExecutionId", ${isOver(before)} AS "isOver"
    FROM "Email" WHERE "projectId" = p."id" AND "createdAt" < ${before}::timestamptz AND ("createdAt", "id") > (p."at", p."after")
    ORDER BY "createdAt", "id" LIMIT ${limit}::int
  ) e LIMIT ${limit}::int
), "named" AS MATERIALIZED (
  SELECT DISTINCT "campaignId" AS "id" FROM "page" WHERE "isOver" AND "campaignId" IS NOT NULL
), "campaign" AS MATERIALIZED (
  SELECT c.* FROM "named" n CROSS JOIN LATERAL (SELECT "id", coalesce("familyId", "id") AS "family" FROM "Campaign" WHERE "id" = n."id" OFFSET 0) c
), "member" AS MATERIALIZED (
  SELECT f."family", m."id" FROM (SELECT DISTINCT "family" FROM "campaign") f CROSS JOIN LATERAL (
    SELECT "id" FROM "Campaign" WHERE "id" = f."family" UNION ALL SELECT "id" FROM "Campaign" WHERE "familyId" = f."family") m
), "locked" AS MATERIALIZED (
  SELECT m."family", c."id", c."status" FROM (SELECT "family", "id" FROM "member" ORDER BY "id") m
  CROSS JOIN LATERAL (SELECT "id", "status" FROM "Campaign" WHERE "id" = m."id" FOR NO KEY UPDATE SKIP LOCKED) c
), "open" AS MATERIALIZED (
  SELECT "family" FROM "locked" WHERE "status" IN ('SCHEDULED', 'SENDING')
  UNION SELECT "family" FROM "member" WHERE "id" NOT IN (SELECT "id" FROM "locked")
), "closed" AS MATERIALIZED (
  SELECT "id" FROM "locked" l WHERE "status" IN ('SENT', 'CANCELLED') AND "family" NOT IN (SELECT "family" FROM "open")
    AND (SELECT true FROM "DeliveryBatch" b WHERE b."campaignId" = l."id" LIMIT 1) IS NULL
), "over" AS MATERIALIZED (
  SELECT p."id" FROM "page" p
  WHERE p."isOver"
    AND (p."campaignId" IS NULL OR p."campaignId" IN (SELECT "id" FROM "closed")
      OR p."campaignId" IN (SELECT "id" FROM "named" WHERE "id" NOT IN (SELECT "id" FROM "campaign")))
    -- The variables of its first email fill in all emails of a shared message.
    AND (p."sharedMessageId" IS NULL OR (SELECT true FROM "Email" s WHERE s."sharedMessageId" = p."sharedMessageId"
      AND (s."batchId" IS NOT NULL OR coalesce(s."sentAt", s."updatedAt") >= ${before}::timestamptz) LIMIT 1) IS NULL)
    -- Its steps may ask what became of the email.
    AND (p."workflowExecutionId" IS NULL OR (SELECT true FROM "WorkflowExecution" x
      WHERE x."id" = p."workflowExecutionId" AND x."status" IN ('RUNNING', 'WAITING')) IS NULL)
), "expired" AS MATERIALIZED (
  SELECT e."id", e."contentId" FROM (SELECT "id" FROM "over" ORDER BY "id") n CROSS JOIN LATERAL (
    SELECT "id", "contentId" FROM "Email" WHERE "id" = n."id" AND ${isOver(before)} FOR UPDATE SKIP LOCKED) e
)
SELECT ARRAY(SELECT "id"::text FROM "expired") AS "ids", ARRAY(SELECT DISTINCT "contentId"::text FROM "expired") AS "contentIds",
  (SELECT count(*)::int FROM "page") AS "count", last."projectId"::text AS "projectId", last."createdAt", last."id"::text AS "id"
FROM (SELECT 1) one
LEFT JOIN LATERAL (SELECT * FROM "page" ORDER BY "projectId" DESC, "createdAt" DESC, "id" DESC LIMIT 1) last ON true`);
  if (!row) throw new Error('looking for expired emails gave no row');
  const { ids, contentIds, count, projectId, createdAt, id } = row;
  const isLast = count < limit || projectId === null || createdAt === null || id === null;
  return { ids, contentIds, next: isLast ? null : { projectId, createdAt, id } };
}

const countedPairs = Prisma.join(
  ['emails', ...countedColumns].map((name) => constant(`('${name}', s."${name}")`)),
);

const ofEmail = constant('ARRAY(SELECT "id" FROM "email")');

/**
 * Removes locked emails with what belongs to them alone, and enters what was counted of them in the same statement. Counters, figures,
 * conversions, suppressions and acts of consent stay; the triggers of Email subtract them from the tallies, which are of the rows that are there.
 */
async function removeEmails(db: SqlDb, ids: readonly string[]): Promise<number> {
  const [row] = await db.$queryRaw<{ removed: number }[]>(Prisma.sql`
WITH "email" AS MATERIALIZED (
  SELECT e.* FROM unnest(${[...ids]}::uuid[]) AS u("id") CROSS JOIN LATERAL (
    SELECT "id", "projectId", "campaignId", "templateId", "status", "reason", "tags", "createdAt", "sentAt", "deliveredAt", "openedAt", "clickedAt",
      "bouncedAt", "complainedAt" FROM "Email" WHERE "id" = u."id" OFFSET 0) e
), "sum" AS MATERIALIZED (
  SELECT p."scopeId", "projectId", p."scopeId" = "projectId" AS "isProject", count(*)::int AS "emails", ${countedSums}
  FROM "email" CROSS JOIN LATERAL (VALUES ("projectId"), ("campaignId"), ("templateId")) p("scopeId") WHERE p."scopeId" IS NOT NULL GROUP BY 1, 2
), "scope" AS MATERIALIZED (
  SELECT * FROM "sum" s WHERE "isProject" OR (SELECT true FROM "Campaign" WHERE "id" = s."scopeId") OR (SELECT true FROM "Template" WHERE "id" = s."scopeId")
), "entered" AS (
  INSERT INTO "ExpiredEmails" AS x ("scopeId", "counter", "projectId", "count")
  SELECT s."scopeId", c."counter", s."projectId", c."count" FROM "scope" s CROSS JOIN LATERAL (VALUES ${countedPairs}) c("counter", "count") WHERE c."count" > 0
  UNION ALL
  SELECT "campaignId", 'skips.' || ${skipReason}, "projectId", count(*) FROM "email"
  WHERE "status" = 'SKIPPED' AND "campaignId" IN (SELECT "scopeId" FROM "scope") GROUP BY 1, 2, 3
  ORDER BY 1, 2
  ON CONFLICT ("scopeId", "counter") DO UPDATE SET "count" = x."count" + excluded."count"
), "interactions" AS (
  DELETE FROM "Interaction" WHERE "emailId" = ANY(${ofEmail})
), "clicks" AS (
  DELETE FROM "RecentClick" WHERE "emailId" = ANY(${ofEmail})
), "tags" AS (
  DELETE FROM "EmailTag" t USING (
    SELECT e."projectId", u."tag", e."createdAt", e."id" FROM "email" e CROSS JOIN LATERAL unnest(e."tags") AS u("tag") OFFSET 0) x
  WHERE t."projectId" = x."projectId" AND t."tag" = x."tag" AND t."createdAt" = x."createdAt" AND t."emailId" = x."id"
), "sources" AS (
  DELETE FROM "MessageSource" WHERE "emailId" = ANY(${ofEmail})
), "tasks" AS (
  DELETE FROM "SimulatorTask" WHERE "emailId" = ANY(${ofEmail})
), "gone" AS (
  DELETE FROM "Email" WHERE "id" = ANY(${ofEmail}) RETURNING "id"
)
SELECT count(*)::int AS "removed" FROM "gone"`);
  return row?.removed ?? 0;
}

/** Requests share a content for a week. */
const unsharedMs = 30 * 86_400_000;

/** Removes those of the contents that no email has any more. The last email of a content is looked for at its end: those before were removed a moment ago. */
const removeContents = (db: SqlDb, ids: readonly string[], now: Date): Promise<number> => db.$executeRaw`
DELETE FROM "Content" WHERE "id" = ANY(ARRAY(
  SELECT c."id" FROM unnest(${[...ids]}::uuid[]) AS u("id")
  CROSS JOIN LATERAL (SELECT "id" FROM "Content" WHERE "id" = u."id" AND "createdAt" < ${new Date(now.getTime() - unsharedMs)}::timestamptz OFFSET 0) c
  WHERE (SELECT true FROM "Email" e WHERE e."contentId" = c."id" ORDER BY e."createdAt" DESC, e."id" DESC LIMIT 1) IS NULL ORDER BY 1))`;

export interface SweptEmails {
  removed: number;
  /** where to go on; null when no old email is beyond */
  next: SweptTo | null;
}

/**
 * Looks at the `limit` old emails that follow, created before `before`, and removes those of them of which nothing is to be done any more, each with its
 * contents once it was their last one.
 */
export const removeExpired = (
  pool: Pool,
  { before, now, after, limit }: { before: Date; now: Date; after: SweptTo; limit: number },
): Promise<SweptEmails> =>
  plainTransaction(
    pool,
    async (db) => {
      const { ids, contentIds, next } = await chooseExpired(db, before, after, limit);
      if (ids.length === 0) return { removed: 0, next };
      // Its own statement: of emails that are locked now it sees everything that was stored.
      const removed = await removeEmails(db, ids);
      await removeContents(db, contentIds, now);
      return { removed, next };
    },
    byIndex,
  );

/** Removes at most `limit` rows of the logs of recipients in which no email is left. @returns how many */
export const removeRecipientLogs = (pool: Pool, limit: number): Promise<number> =>
  plainTransaction(
    pool,
    (db) => db.$executeRaw`
DELETE FROM "RecipientLog" l USING (
  SELECT r.* FROM "ExpiredEmails" x CROSS JOIN LATERAL (
    SELECT "campaignId", "status", "at", "lastId", "id" FROM "RecipientLog" WHERE "campaignId" = x."scopeId" LIMIT ${limit}::int) r
  WHERE x."counter" = 'emails' AND (SELECT true FROM "Email" e WHERE e."campaignId" = x."scopeId" LIMIT 1) IS NULL
  LIMIT ${limit}::int) r
WHERE l."campaignId" = r."campaignId" AND l."status" = r."status" AND l."at" = r."at" AND l."lastId" = r."lastId" AND l."id" = r."id"`,
    { ...byIndex, enable_seqscan: 'on' },
  );

/** Those of the campaigns of which emails were removed for their age. */
export async function withExpiredEmails(db: Db, campaignIds: readonly string[]): Promise<Set<string>> {
  if (campaignIds.length === 0) return new Set();
  const rows = await db.expiredEmails.findMany({
    where: { scopeId: { in: [...campaignIds] }, counter: 'emails' },
    select: { scopeId: true },
  });
  return new Set(rows.map(({ scopeId }) => scopeId));
}

/** What was counted of the removed emails of a campaign, and how many they are. */
export async function countExpired(db: Db, campaignId: string): Promise<CampaignCounts & { emails: number }> {
  const rows = await db.expiredEmails.findMany({ where: { scopeId: campaignId } });
  const counts = new Map(rows.map(({ counter, count }) => [counter, Number(count)]));
  const counters: { [Column in CountedColumn]?: number } = {};
  for (const column of countedColumns) counters[column] = counts.get(column) ?? 0;
  const skips = Object.fromEntries(
    [...counts].flatMap(([counter, count]) =>
      counter.startsWith('skips.') ? [[counter.slice(6), count]] : [],
    ),
  );
  return { counters, skips, emails: counts.get('emails') ?? 0 };
}
