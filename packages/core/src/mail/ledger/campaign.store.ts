import { constant, type Db, Prisma } from '../../base/db/index.ts';
import { excluded } from '../eligibility/index.ts';
import { byKey } from './by-key.ts';
import type { SkippedBy } from './freeze.store.ts';
import { priorities } from './ledger.rules.ts';

export type RetriedStatus = 'FAILED' | 'UNCERTAIN';

/** Which emails of a campaign are requeued. */
export interface RetryRequest {
  projectId: string;
  campaignId: string;
  statuses: readonly RetriedStatus[];
  /** what reached its state later is not requeued again; null for everything */
  before: Date | null;
  /** other campaigns of its family and round: a contact that got an email of one of them gets no second one */
  others?: readonly string[];
  /** emails per delivery batch */
  batchSize: number;
  /** the sandbox sender, which has no domain */
  sandboxFrom: string;
}

/** A position in the recipient log. */
export interface LogPosition {
  at: Date;
  id: string;
}

export interface Requeued {
  count: number;
  /** where the next call continues; null when nothing is left */
  next: LogPosition | null;
}

/** Rows of the recipient log that name the emails of a retry. */
const retriedRows = ({ campaignId, statuses, before }: RetryRequest): Prisma.Sql => Prisma.sql`
  "RecipientLog" l WHERE l."campaignId" = ${campaignId}::uuid AND l."status" = ANY(${[...statuses]}::"EmailStatus"[])
    AND (${before}::timestamptz IS NULL OR l."at" <= ${before}::timestamptz)`;

/**
 * Emails that the rows `picked` of the log name and that are to be requeued. Those of deleted contacts are not, nor those of contacts who
 * got another email of the round since.
 */
const retriedEmails = ({
  projectId,
  campaignId,
  statuses,
  others = [],
}: RetryRequest): Prisma.Sql => Prisma.sql`
  (SELECT DISTINCT u."id" FROM picked CROSS JOIN LATERAL unnest(picked."emailIds") AS u("id")) n
  CROSS JOIN LATERAL (SELECT * FROM "Email" WHERE "id" = n."id" OFFSET 0) e
  WHERE e."projectId" = ${projectId}::uuid AND e."campaignId" = ${campaignId}::uuid
    AND e."status" = ANY(${[...statuses]}::"EmailStatus"[]) AND e."contactId" IS NOT NULL ${
      others.length === 0
        ? Prisma.empty
        : Prisma.sql`AND NOT ${excluded.duplicate({ project: Prisma.sql`${projectId}::uuid`, instead: { contact: constant('e."contactId"'), campaigns: others } })}`
    }`;

/** The CTE `picked`: the next rows of the recipient log, about `limit` emails. */
const pickedRows = (
  request: RetryRequest,
  after: LogPosition | null,
  limit: number,
): Prisma.Sql => Prisma.sql`listed AS MATERIALIZED (
  SELECT l."at", l."id", l."count" FROM ${retriedRows(request)} ${
    after ? Prisma.sql`AND (l."at", l."id") > (${after.at}, ${after.id}::uuid)` : Prisma.empty
  } ORDER BY l."at", l."id" LIMIT ${limit}::int
), chosen AS MATERIALIZED (
  SELECT * FROM (SELECT l.*, sum(l."count") OVER (ORDER BY l."at", l."id") - l."count" AS "before" FROM listed l) l
  WHERE l."before" < ${limit}::int
), picked AS MATERIALIZED (
  SELECT l."id", l."status", l."at", l."emailIds" FROM ${retriedRows(request)} AND l."id" IN (SELECT "id" FROM chosen)
)`;

/**
 * Puts emails of a campaign back into the queue, and subtracts them from its counters: those named by the next rows
 * of the recipient log, about `limit`. They start with the shortest delay again. Emails
 * of deleted contacts stay unchanged. Rows of the log that no longer name such an email are removed. An email whose sender domain was deleted gets a domain id that does not exist, with
 * which it fails again. `uncertainAt` and `fence` stay: an email that may have arrived is never SKIPPED, and a late answer of its last
 * attempt still counts.
 */
export async function requeueEmails(
  db: Db,
  request: RetryRequest,
  after: LogPosition | null,
  limit: number,
): Promise<Requeued> {
  const { projectId, campaignId, batchSize, sandboxFrom } = request;
  const rows = await db.$queryRaw<{ count: number; at: Date | null; id: string | null }[]>(Prisma.sql`
WITH ${pickedRows(request, after, limit)}, found AS MATERIALIZED (
  SELECT e."id", e."status", e."contentId" FROM ${retriedEmails(request)} ORDER BY e."id"
), locked AS MATERIALIZED (
  SELECT f."id", e."status", e."contentId" FROM found f
  CROSS JOIN LATERAL (SELECT "status", "contentId" FROM "Email" WHERE "id" = f."id" AND "status" = f."status" FOR UPDATE) e
), numbered AS MATERIALIZED (
  SELECT locked.*, (row_number() OVER (PARTITION BY "contentId" ORDER BY "id") - 1) / ${batchSize}::int AS "part" FROM locked
), batch AS MATERIALIZED (
  SELECT uuid7() AS "id", "contentId", "part", array_agg("id" ORDER BY "id") AS "emailIds" FROM numbered GROUP BY "contentId", "part"
), again AS (
  UPDATE "Email" e SET "status" = 'PENDING', "reason" = NULL, "error" = NULL, "attempts" = 0, "batchId" = b."batchId", "updatedAt" = now()
  FROM (SELECT "id" AS "batchId", unnest("emailIds") AS "emailId" FROM batch) b WHERE e."id" = b."emailId"
), queued AS (
  INSERT INTO "DeliveryBatch" ("id", "projectId", "campaignId", "domainId", "priority", "again", "held", "emailIds")
  SELECT b."id", ${projectId}::uuid, ${campaignId}::uuid, CASE WHEN c."from" <> ${sandboxFrom} THEN coalesce(
    (SELECT d."id" FROM "Domain" d WHERE d."projectId" = ${projectId}::uuid AND d."domain" = split_part(c."from", '@', 2)),
    ${campaignId}::uuid) END, ${constant(priorities.CAMPAIGN)}, true,
    coalesce((SELECT "pausedAt" IS NOT NULL FROM "Campaign" WHERE "id" = ${campaignId}::uuid), false), b."emailIds"
  FROM batch b JOIN "Content" c ON c."id" = b."contentId"
), remaining AS MATERIALIZED (
  SELECT p."id", array_agg(u."id" ORDER BY u."id") AS ids FROM picked p CROSS JOIN LATERAL unnest(p."emailIds") AS u("id")
  CROSS JOIN LATERAL (SELECT "status", "updatedAt", "campaignId" FROM "Email" WHERE "id" = u."id" OFFSET 0) e
  WHERE e."status" = p."status" AND e."updatedAt" = p."at" AND e."campaignId" = ${campaignId}::uuid
    AND NOT EXISTS (SELECT FROM locked WHERE locked."id" = u."id")
  GROUP BY p."id"
), shortened AS (
  UPDATE "RecipientLog" l SET "emailIds" = r.ids, "firstId" = r.ids[1], "lastId" = r.ids[cardinality(r.ids)], "count" = cardinality(r.ids)
  FROM remaining r WHERE l."campaignId" = ${campaignId}::uuid AND l."id" = r."id" AND l."count" > cardinality(r.ids)
), removed AS (
  DELETE FROM "RecipientLog" l USING picked p WHERE l."campaignId" = ${campaignId}::uuid AND l."status" = p."status" AND l."at" = p."at"
    AND l."id" = p."id" AND NOT EXISTS (SELECT FROM remaining r WHERE r."id" = p."id")
), counted AS (
  UPDATE "CampaignCounter" SET
    "failedCount" = "failedCount" - (SELECT count(*) FROM locked WHERE "status" = 'FAILED'),
    "uncertainCount" = "uncertainCount" - (SELECT count(*) FROM locked WHERE "status" = 'UNCERTAIN')
  WHERE "campaignId" = ${campaignId}::uuid AND EXISTS (SELECT FROM locked)
)
SELECT (SELECT count(*)::int FROM locked) AS "count", last."at", last."id"
FROM (SELECT 1) AS one LEFT JOIN (SELECT "at", "id" FROM chosen ORDER BY "at" DESC, "id" DESC LIMIT 1) last ON true`);
  const [row] = rows;
  if (!row?.at || row.id === null) return { count: 0, next: null };
  return { count: row.count, next: { at: row.at, id: row.id } };
}

/** The number of emails that `requeueEmails` would still requeue after this position. */
export async function countRetried(db: Db, request: RetryRequest, after: LogPosition): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
WITH picked AS (
  SELECT l."emailIds" FROM ${retriedRows(request)} AND (l."at", l."id") > (${after.at}, ${after.id}::uuid)
)
SELECT count(*)::int AS "count" FROM ${retriedEmails(request)}`);
  return rows[0]?.count ?? 0;
}

/** FAILED emails: all, and those whose usage is of the present month (UTC). */
export interface FailedEmails {
  emails: number;
  usage: number;
}

/**
 * The FAILED emails that the next call of `requeueEmails` would requeue, which takes again what they have given back (behaviour B4.18,
 * B8.1). UNCERTAIN emails have kept theirs.
 */
export async function countFailedOfRetry(
  db: Db,
  request: RetryRequest,
  after: LogPosition | null,
  limit: number,
): Promise<FailedEmails> {
  const rows = await db.$queryRaw<FailedEmails[]>(Prisma.sql`
WITH ${pickedRows(request, after, limit)}
SELECT count(*)::int AS "emails", (count(*) FILTER (
    WHERE e."createdAt" >= date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'))::int AS "usage"
FROM ${retriedEmails(request)} AND e."status" = 'FAILED' AND NOT e."simulated"`);
  return rows[0] ?? { emails: 0, usage: 0 };
}

/**
 * Clears the campaign id of about `limit` emails of a deleted campaign, those named by the next rows of its recipient log, and
 * removes these rows: together they name every email of the campaign.
 *
 * @returns how many rows of the log were removed; 0 when none is left
 */
export async function detachEmails(db: Db, campaignId: string, limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
WITH listed AS MATERIALIZED (
  SELECT "status", "at", "lastId", "id", "count" FROM "RecipientLog" WHERE "campaignId" = ${campaignId}::uuid
  ORDER BY "status", "at", "lastId", "id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
), chosen AS MATERIALIZED (
  SELECT * FROM (SELECT l.*, sum("count") OVER (ORDER BY "status", "at", "lastId", "id") - "count" AS "before" FROM listed l) l
  WHERE l."before" < ${limit}::int
), gone AS (
  DELETE FROM "RecipientLog" l USING chosen c
  WHERE l."campaignId" = ${campaignId}::uuid AND l."status" = c."status" AND l."at" = c."at" AND l."lastId" = c."lastId" AND l."id" = c."id"
  RETURNING l."emailIds"
), locked AS MATERIALIZED (
  SELECT e."id" FROM (SELECT DISTINCT unnest("emailIds") AS "id" FROM gone ORDER BY 1) n
  CROSS JOIN LATERAL (SELECT "id", "campaignId" FROM "Email" WHERE "id" = n."id" OFFSET 0 FOR UPDATE) e
  WHERE e."campaignId" = ${campaignId}::uuid
), detached AS (
  UPDATE "Email" SET "campaignId" = NULL WHERE "id" = ANY(ARRAY(SELECT "id" FROM locked))
)
SELECT count(*)::int AS "count" FROM gone`);
  return rows[0]?.count ?? 0;
}

/** Whether no email refers to a deleted campaign any more. */
export async function isDetached(db: Db, campaignId: string): Promise<boolean> {
  const rows = await db.$queryRaw<{ found: boolean }[]>(
    Prisma.sql`SELECT EXISTS (SELECT FROM "RecipientLog" WHERE "campaignId" = ${campaignId}::uuid) AS found`,
  );
  return !(rows[0]?.found ?? false);
}

/** The contacts that no longer exist of at most `limit` emails of a campaign, in the order of their keyed addresses. */
export async function goneRecipients(
  db: Db,
  campaignId: string,
  after: Uint8Array<ArrayBuffer> | null,
  limit: number,
): Promise<{ contactIds: string[]; next: Uint8Array<ArrayBuffer> | null }> {
  const later = after ? Prisma.sql`AND "toHash" > ${after}` : Prisma.empty;
  const [row] = await db.$queryRaw<
    { contactIds: string[]; next: Uint8Array<ArrayBuffer> | null }[]
  >(Prisma.sql`
WITH piece AS MATERIALIZED (
  SELECT "contactId", "toHash" FROM "Email" WHERE "campaignId" = ${campaignId}::uuid ${later} ORDER BY "toHash" LIMIT ${limit}::int
)
SELECT ARRAY(
    SELECT p."contactId"::text FROM piece p
    WHERE p."contactId" IS NOT NULL AND NOT EXISTS (SELECT FROM "Contact" c WHERE ${byKey('c."id"', 'p."contactId"')})
  ) AS "contactIds",
  CASE WHEN (SELECT count(*) FROM piece) = ${limit}::int THEN (SELECT "toHash" FROM piece ORDER BY "toHash" DESC LIMIT 1) END AS "next"`);
  if (!row) throw new Error('looking for contacts gave no row');
  return row;
}

/** The counters of a campaign that its rows determine, and how. */
const countedBy = {
  sentCount: 'count("sentAt")',
  deliveredCount: 'count("deliveredAt")',
  openedCount: 'count("openedAt")',
  clickedCount: 'count("clickedAt")',
  bouncedCount: 'count("bouncedAt")',
  refusedCount: 'count("bouncedAt") FILTER (WHERE "sentAt" IS NULL)',
  complainedCount: 'count("complainedAt")',
  failedCount: `count(*) FILTER (WHERE "status" = 'FAILED')`,
  skippedCount: `count(*) FILTER (WHERE "status" = 'SKIPPED')`,
  uncertainCount: `count(*) FILTER (WHERE "status" = 'UNCERTAIN')`,
} as const;

export const countedColumns = Object.keys(countedBy) as CountedColumn[];

/** SQL: the counters of a group of emails. */
export const countedSums = Prisma.join(
  Object.entries(countedBy).map(([name, count]) => constant(`${count}::int AS "${name}"`)),
);

/** SQL: why a skipped email was. */
export const skipReason = constant(`coalesce("reason", 'cancelled')`);

export type CountedColumn = keyof typeof countedBy;

/** Numbers of a campaign: by counter, and of skipped emails by reason. */
export interface CampaignCounts {
  counters: { [Column in CountedColumn]?: number };
  skips: SkippedBy;
}

export interface CountedPiece extends CampaignCounts {
  /** where the next piece begins; null after the last one */
  next: Uint8Array<ArrayBuffer> | null;
}

/** Counts at most `limit` emails of a campaign by their rows, in the order of their keyed addresses, which never change. */
export async function countPiece(
  db: Db,
  campaignId: string,
  after: Uint8Array<ArrayBuffer> | null,
  limit: number,
): Promise<CountedPiece> {
  const later = after ? Prisma.sql`AND "toHash" > ${after}` : Prisma.empty;
  const rows = await db.$queryRaw<
    (Record<CountedColumn, number> & Omit<CountedPiece, 'counters'>)[]
  >(Prisma.sql`
WITH piece AS MATERIALIZED (
  SELECT * FROM "Email" WHERE "campaignId" = ${campaignId}::uuid ${later} ORDER BY "toHash" LIMIT ${limit}::int
)
SELECT ${countedSums},
  (SELECT coalesce(jsonb_object_agg(s."reason", s."count"), '{}') FROM (
    SELECT ${skipReason} AS "reason", count(*)::int AS "count" FROM piece WHERE "status" = 'SKIPPED' GROUP BY 1) s) AS "skips",
  CASE WHEN count(*) = ${limit}::int THEN (SELECT "toHash" FROM piece ORDER BY "toHash" DESC LIMIT 1) END AS "next"
FROM piece`);
  const [row] = rows;
  if (!row) throw new Error('counting gave no row');
  const { skips, next, ...counters } = row;
  return { counters, skips, next };
}
