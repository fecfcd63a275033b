import { constant, type Db, Prisma } from '../../base/db/index.ts';
import { ownersListed } from './installation.schema.ts';

export interface OwnerFigures {
  id: string;
  email: string;
  emailVerified: boolean;
  projects: number;
  storedBytes: number;
  mostStreams: number;
  slowMinutes: number;
  taskLimits: number;
  unprovenReports: number;
  plainUntil: Date | null;
}

const columns = {
  storage: constant('"storedBytes"'),
  streams: constant('"mostStreams"'),
  slow: constant('"slowMinutes"'),
  reports: constant('"unprovenReports"'),
};

/** The owners with the highest figures of one kind; those with none of it are left out. */
export const findOwnersBy = (db: Db, by: keyof typeof columns): Promise<OwnerFigures[]> =>
  db.$queryRaw<OwnerFigures[]>(Prisma.sql`
WITH "since" AS (
  SELECT (now() AT TIME ZONE 'UTC')::date - 6 AS "day"
), "stored" AS MATERIALIZED (
  SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
    SELECT "projectId", "bytes" FROM "StorageUsage" UNION ALL SELECT "projectId", "bytes" FROM "StorageEntry") s GROUP BY 1
), "reported" AS MATERIALIZED (
  SELECT e."projectId", count(*) AS "count" FROM "Email" e
  WHERE (e."bouncedAt" IS NOT NULL OR e."complainedAt" IS NOT NULL) AND e."unprovenNews"
    AND greatest(e."bouncedAt", e."complainedAt") >= (SELECT "day" FROM "since")::timestamp AT TIME ZONE 'UTC' GROUP BY 1
), "days" AS MATERIALIZED (
  SELECT d."userId", max(d."mostStreams") AS "streams", sum(d."slowMinutes") AS "slow", sum(d."taskLimits") AS "limits"
  FROM "OwnerDay" d WHERE d."day" >= (SELECT "day" FROM "since") GROUP BY 1
), "owned" AS MATERIALIZED (
  SELECT m."userId", count(*)::int AS "projects", coalesce(sum(s."bytes"), 0)::float8 AS "storedBytes",
    coalesce(sum(r."count"), 0)::int AS "unprovenReports"
  FROM "Member" m LEFT JOIN "stored" s ON s."projectId" = m."projectId" LEFT JOIN "reported" r ON r."projectId" = m."projectId"
  WHERE m."role" = 'OWNER' GROUP BY 1
), "figures" AS (
  SELECT u."id", u."email", u."emailVerified", coalesce(o."projects", 0) AS "projects", coalesce(o."storedBytes", 0) AS "storedBytes",
    coalesce(d."streams", 0)::int AS "mostStreams", coalesce(d."slow", 0)::int AS "slowMinutes", coalesce(d."limits", 0)::int AS "taskLimits",
    coalesce(o."unprovenReports", 0) AS "unprovenReports", CASE WHEN p."until" > now() THEN p."until" END AS "plainUntil"
  FROM "User" u LEFT JOIN "owned" o ON o."userId" = u."id" LEFT JOIN "days" d ON d."userId" = u."id" LEFT JOIN "PlainSpan" p ON p."userId" = u."id"
)
SELECT * FROM "figures" WHERE ${columns[by]} > 0 ORDER BY ${columns[by]} DESC, "id" LIMIT ${ownersListed}::int`);
