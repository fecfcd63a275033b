import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { audienceSql } from '../../../audience/segments/index.ts';
import { type Db, Prisma, type SqlDb } from '../../../base/db/index.ts';
import { kindsWithoutEngine } from '../../../base/kernel/index.ts';
import type { BlockedCounts } from './entry.rules.ts';

/** Jobs that let many contacts enter a workflow. */

export const enterJobKind = kindsWithoutEngine.entries;

export interface EnterJobInput {
  workflowId: string;
  /** whether its contacts are on a list */
  isListed: boolean;
  /** contacts that it will have looked at */
  total: number;
  /** of those that the request names */
  notFound: number;
  /** looked at so far, and the last of them */
  seen?: number;
  after?: { createdAt: string; id: string };
}

export interface EnterResult {
  matched: number;
  /** the same as `entered`, by the name that all jobs of workflows have */
  changed: number;
  entered: number;
  notFound: number;
  blocked: BlockedCounts;
}

export interface EnterJobRow {
  id: string;
  projectId: string;
  input: EnterJobInput;
  result: EnterResult | null;
  createdAt: Date;
}

export async function insertEnterJob(
  db: Db,
  { id, projectId, input }: Pick<EnterJobRow, 'id' | 'projectId' | 'input'>,
): Promise<void> {
  await db.job.create({
    data: { id, projectId, kind: enterJobKind, input: { ...input } as Prisma.InputJsonObject },
  });
}

/** The oldest open job of a workflow that no other process works on. */
export async function lockEnterJob(
  db: SqlDb,
  { projectId, workflowId }: { projectId: string; workflowId: string },
): Promise<EnterJobRow | null> {
  const [row] = await db.$queryRaw<EnterJobRow[]>`
    SELECT "id"::text AS "id", "projectId"::text AS "projectId", "input", "result", "createdAt" FROM "Job"
    WHERE "state" IN ('waiting', 'active') AND "kind" = ${enterJobKind} AND "projectId" = ${projectId}::uuid
      AND "input" ->> 'workflowId' = ${workflowId}::text
    ORDER BY "createdAt" LIMIT 1 FOR UPDATE SKIP LOCKED`;
  return row ?? null;
}

/** Whom a job lets enter, apart from a list, and with which context. */
export interface EnterSelection {
  filter: FilterTree | null;
  segmentId: string | null;
  context: Record<string, unknown>;
}

export async function readSelection(db: SqlDb, jobId: string): Promise<EnterSelection | null> {
  const [row] = await db.$queryRaw<
    { bytes: Buffer }[]
  >`SELECT "bytes" FROM "JobFile" WHERE "jobId" = ${jobId}::uuid`;
  return row ? (JSON.parse(Buffer.from(row.bytes).toString()) as EnterSelection) : null;
}

export interface EnterPart {
  /** contacts that match */
  ids: string[];
  seen: number;
  /** the last that was looked at; null after the last part */
  next: { createdAt: string; id: string } | null;
}

/** The contacts on the list of a job: few enough for one part. */
export async function listedPart(db: SqlDb, jobId: string): Promise<EnterPart> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "contactId"::text AS "id" FROM "JobContact" WHERE "jobId" = ${jobId}::uuid ORDER BY 1`;
  return { ids: rows.map(({ id }) => id), seen: rows.length, next: null };
}

/** The next contacts that existed at the time of the call, in the order of their creation. Times in the filter are counted from the call. */
export async function matchingPart(
  db: SqlDb,
  { projectId, createdAt: calledAt, input: { after } }: EnterJobRow,
  { filter, segmentId }: EnterSelection,
  limit: number,
): Promise<EnterPart> {
  const audience =
    filter === null
      ? { audienceType: 'SEGMENT' as const, segmentId }
      : { audienceType: 'FILTERED' as const, audienceCondition: filter };
  const matches = await audienceSql(db, projectId, audience, calledAt);
  const beyond = after
    ? Prisma.sql`AND (c."createdAt", c."id") > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : Prisma.empty;
  const [row] = await db.$queryRaw<
    { ids: string[]; seen: number; createdAt: string | null; id: string | null }[]
  >`
    WITH "part" AS MATERIALIZED (
      SELECT c."id", c."createdAt", ${matches} AS "matches" FROM "Contact" c
      WHERE c."projectId" = ${projectId}::uuid AND c."createdAt" <= ${calledAt}::timestamptz ${beyond}
      ORDER BY c."createdAt", c."id" LIMIT ${limit}::int)
    SELECT ARRAY(SELECT p."id"::text FROM "part" p WHERE p."matches") AS "ids", (SELECT count(*)::int FROM "part") AS "seen",
      l."createdAt"::text AS "createdAt", l."id"::text AS "id"
    FROM (SELECT) one LEFT JOIN (SELECT "createdAt", "id" FROM "part" ORDER BY "createdAt" DESC, "id" DESC LIMIT 1) l ON true`;
  if (!row) throw new Error('looking at contacts gave no row');
  const { ids, seen, createdAt, id } = row;
  return { ids, seen, next: seen < limit || createdAt === null || id === null ? null : { createdAt, id } };
}

export async function saveEnterJob(
  db: SqlDb,
  id: string,
  { input, result, progress }: { input: EnterJobInput; result: EnterResult; progress: number },
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Job" SET "state" = 'active', "progress" = ${progress}::int, "input" = ${JSON.stringify(input)}::jsonb,
      "result" = ${JSON.stringify(result)}::jsonb WHERE "id" = ${id}::uuid`;
}

/** Ends a job, and removes what it needed. @param failedReason null when it has done everything */
export async function endEnterJob(
  db: SqlDb,
  id: string,
  result: EnterResult | null,
  failedReason: string | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "Job" SET "state" = ${failedReason === null ? 'completed' : 'failed'}, "progress" = CASE WHEN ${failedReason}::text IS NULL THEN 100 ELSE "progress" END,
      "result" = coalesce(${result === null ? null : JSON.stringify(result)}::jsonb, "result"), "failedReason" = ${failedReason}, "completedAt" = now()
    WHERE "id" = ${id}::uuid`;
  await db.$executeRaw`DELETE FROM "JobFile" WHERE "jobId" = ${id}::uuid`;
  await db.$executeRaw`DELETE FROM "JobContact" WHERE "jobId" = ${id}::uuid`;
}
