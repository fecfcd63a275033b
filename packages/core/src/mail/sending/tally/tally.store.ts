import { type Db, type EmailSource, type EmailStatus, Prisma } from '../../../base/db/index.ts';
import { quarterInterval, quarterOf } from '../../../base/figures/index.ts';

/** Projects whose emails of before there were tallies are not counted yet, at most `limit`. */
export async function untalliedProjects(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT p."id"::text FROM "Project" p WHERE NOT p."emailsTallied" ORDER BY p."id" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** Emails that are counted in one transaction, apart from those of the last quarter of an hour. */
const emailsPerPiece = 100_000;

/**
 * Counts the next emails of a project from before there were tallies. Must run in a transaction with one snapshot: what it counts are the rows
 * that the snapshot shows, and it removes the entries of changes that the snapshot shows; those of later ones stay, to be added.
 *
 * @param perPiece emails, at least, unless fewer are left
 * @returns whether there are more
 */
export async function tallyEarlier(db: Db, projectId: string, perPiece = emailsPerPiece): Promise<boolean> {
  const [project] = await db.$queryRaw<{ from: Date | null }[]>`
    SELECT "emailsTalliedTo" AS "from" FROM "Project" WHERE "id" = ${projectId}::uuid AND NOT "emailsTallied" FOR NO KEY UPDATE SKIP LOCKED`;
  if (!project) return false;
  const since = project.from ? Prisma.sql`AND "createdAt" >= ${project.from}` : Prisma.empty;
  const [last] = await db.$queryRaw<{ to: Date }[]>`
    SELECT ${quarterOf(Prisma.sql`"createdAt"`)} + ${quarterInterval} AS "to" FROM "Email"
    WHERE "projectId" = ${projectId}::uuid ${since} ORDER BY "createdAt", "id" OFFSET ${perPiece}::int LIMIT 1`;
  const until = last ? Prisma.sql`AND "createdAt" < ${last.to}` : Prisma.empty;
  await db.$executeRaw`
    INSERT INTO "EmailTally" ("projectId", "status", "at", "sourceType", "count")
    SELECT "projectId", "status", ${quarterOf(Prisma.sql`"createdAt"`)}, "sourceType", count(*) FROM "Email"
    WHERE "projectId" = ${projectId}::uuid AND "sourceType" <> 'SYSTEM' ${since} ${until} GROUP BY 1, 2, 3, 4`;
  await db.$executeRaw`
    DELETE FROM "EmailTallyEntry" WHERE "projectId" = ${projectId}::uuid
      ${project.from ? Prisma.sql`AND "at" >= ${project.from}` : Prisma.empty} ${last ? Prisma.sql`AND "at" < ${last.to}` : Prisma.empty}`;
  await db.$executeRaw`
    UPDATE "Project" SET "emailsTalliedTo" = ${last?.to ?? null}::timestamptz, "emailsTallied" = ${last === undefined} WHERE "id" = ${projectId}::uuid`;
  return last !== undefined;
}

/** Of these projects, those all of whose earlier emails are counted. */
export async function talliedOf(db: Db, projectIds: readonly string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text FROM "Project" WHERE "id" = ANY(${[...projectIds]}::uuid[]) AND "emailsTallied"`;
  return rows.map(({ id }) => id);
}

/**
 * Adds a batch of a project's entries to its tallies and removes them, in one statement: each counts exactly once, also when the process ends
 * meanwhile. Another process that does the same takes other entries; rows are written in the order of their keys.
 *
 * @returns how many entries it was
 */
export async function foldTallyBatch(db: Db, projectId: string, limit: number): Promise<number> {
  const [folded] = await db.$queryRaw<{ count: number }[]>`
    WITH taken AS MATERIALIZED (
      DELETE FROM "EmailTallyEntry" e WHERE e."projectId" = ${projectId}::uuid AND e."id" = ANY(ARRAY(
        SELECT o."id" FROM "EmailTallyEntry" o WHERE o."projectId" = ${projectId}::uuid ORDER BY o."id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))
      RETURNING e.*
    ), tallies AS (
      INSERT INTO "EmailTally" AS t ("projectId", "status", "at", "sourceType", "count")
      SELECT ${projectId}::uuid, e."status", e."at", e."sourceType", sum(e."count") FROM taken e GROUP BY 2, 3, 4
      HAVING sum(e."count") <> 0 ORDER BY 2, 3, 4
      ON CONFLICT ("projectId", "status", "at", "sourceType") DO UPDATE SET "count" = t."count" + EXCLUDED."count"
    )
    SELECT count(*)::int AS "count" FROM taken`;
  return folded?.count ?? 0;
}

/** Removes tallies of nothing. */
export const removeEmptyTallies = (db: Db, projectId: string): Promise<number> =>
  db.$executeRaw`DELETE FROM "EmailTally" WHERE "projectId" = ${projectId}::uuid AND "count" = 0`;

/** Gives the space of removed entries free, unless another process is doing that. Must not run in a transaction. */
export const vacuumTallyEntries = (db: Db): Promise<number> =>
  db.$executeRaw`VACUUM (SKIP_LOCKED, ANALYZE) "EmailTallyEntry"`;

/** Whose emails are meant. Times are beginnings of quarters of an hour. */
export interface TallySearch {
  projectId: string;
  /** as stored; all without */
  statuses?: readonly EmailStatus[] | undefined;
  sourceType?: EmailSource | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

function conditionOf({ projectId, statuses, sourceType, from, to }: TallySearch): Prisma.Sql {
  const conditions = [Prisma.sql`"projectId" = ${projectId}::uuid`];
  if (statuses) conditions.push(Prisma.sql`"status" = ANY(${[...statuses]}::"EmailStatus"[])`);
  if (sourceType) conditions.push(Prisma.sql`"sourceType" = ${sourceType}::"EmailSource"`);
  if (from) conditions.push(Prisma.sql`"at" >= ${from}`);
  if (to) conditions.push(Prisma.sql`"at" < ${to}`);
  return Prisma.join(conditions, ' AND ');
}

/** SQL: tallies and what is not added to them yet. */
const counts = (search: TallySearch): Prisma.Sql => {
  const condition = conditionOf(search);
  return Prisma.sql`(SELECT "at", "count" FROM "EmailTally" WHERE ${condition} UNION ALL SELECT "at", "count" FROM "EmailTallyEntry" WHERE ${condition}) t`;
};

/** The number of emails; null while those of before there were tallies are being counted. */
export async function sumTallies(db: Db, search: TallySearch): Promise<number | null> {
  const [row] = await db.$queryRaw<{ total: number | null }[]>`
    SELECT CASE WHEN p."emailsTallied" THEN coalesce((SELECT sum(t."count") FROM ${counts(search)}), 0)::float8 END AS "total"
    FROM "Project" p WHERE p."id" = ${search.projectId}::uuid`;
  return row?.total ?? null;
}

/**
 * The quarters of an hour with such emails, from the newest (`desc`) or oldest on, until they have `enough` emails together, at most 1,000; null
 * while emails of before there were tallies are being counted.
 */
export async function quartersWith(
  db: Db,
  { dir, enough, ...search }: TallySearch & { dir: 'asc' | 'desc'; enough: number },
): Promise<Date[] | null> {
  const direction = dir === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const [row] = await db.$queryRaw<{ quarters: Date[] | null }[]>`
    SELECT CASE WHEN p."emailsTallied" THEN ARRAY(
      SELECT q."at" FROM (
        SELECT s."at", sum(s."count") OVER (ORDER BY s."at" ${direction}) - s."count" AS before
        FROM (SELECT t."at", sum(t."count") AS "count" FROM ${counts(search)} GROUP BY 1 HAVING sum(t."count") > 0) s
      ) q WHERE q.before < ${enough}::int ORDER BY q."at" ${direction} LIMIT 1000) END AS "quarters"
    FROM "Project" p WHERE p."id" = ${search.projectId}::uuid`;
  return row?.quarters ?? null;
}
