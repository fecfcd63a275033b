import { type Database, type Db, Prisma, prepared } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type { CountRow } from './counts.ts';
import { dayMs, dayStart } from './requests.rules.ts';
import type { RequestDoor } from './requests.schema.ts';

/** An entry as it is written; `request` and `response` are JSON. */
export interface EntryRow {
  id: string;
  projectId: string;
  at: string;
  door: RequestDoor;
  method: string;
  path: string;
  operation: string | null;
  status: number;
  code: string | null;
  durationMs: number;
  keyType: 'public' | 'secret';
  keyId: string | null;
  keyName: string | null;
  keyPrefix: string;
  ip: string | null;
  userAgent: string | null;
  requestId: string;
  dryRun: boolean;
  request: string | null;
  response: string | null;
  emailIds: string[];
  alike: number;
}

const columns = Prisma.raw(
  `"id", "projectId", "at", "door", "method", "path", "operation", "status", "code", "durationMs", "keyType", "keyId", "keyName",
    "keyPrefix", "ip", "userAgent", "requestId", "dryRun", "request", "response", "emailIds", "alike"`,
);

/** Requests of a project that has been deleted meanwhile are left out, so that nothing of it comes back. */
const isPresent = Prisma.sql`EXISTS (SELECT FROM "Project" p WHERE p."id" = r."projectId" AND p."deletedAt" IS NULL)`;

const insert = prepared<{ rows: string }>(
  'insert-request-entries',
  ({ rows }) => Prisma.sql`
  INSERT INTO "RequestEntry" (${columns})
  SELECT r."id", r."projectId", r."at", r."door", r."method", r."path", r."operation", r."status", r."code", r."durationMs", r."keyType",
    r."keyId", r."keyName", r."keyPrefix", r."ip", r."userAgent", r."requestId", r."dryRun", r."request"::json, r."response"::json,
    r."emailIds", r."alike"
  FROM jsonb_to_recordset(${rows}::jsonb) AS r("id" uuid, "projectId" uuid, "at" timestamptz, "door" text, "method" text, "path" text,
    "operation" text, "status" smallint, "code" text, "durationMs" int, "keyType" text, "keyId" uuid, "keyName" text, "keyPrefix" text,
    "ip" text, "userAgent" text, "requestId" text, "dryRun" boolean, "request" text, "response" text, "emailIds" uuid[], "alike" int)
  WHERE ${isPresent}
  ON CONFLICT DO NOTHING`,
);

/** A group that is repeated because its outcome is unknown is stored once. */
export const insertEntries = async (database: Database, rows: readonly EntryRow[]): Promise<void> =>
  void (await database.asyncCommit.query(insert({ rows: JSON.stringify(rows) })));

const raise = prepared<{ ids: string[]; times: Date[]; alike: number[] }>(
  'raise-alike-requests',
  ({ ids, times, alike }) => Prisma.sql`
  UPDATE "RequestEntry" e SET "alike" = r."alike"
  FROM unnest(${ids}::uuid[], ${times}::timestamptz[], ${alike}::int[]) AS r("id", "at", "alike")
  WHERE e."id" = r."id" AND e."at" = r."at"`,
);

/** Writes how many requests without an entry were like these ones. */
export const raiseAlike = async (
  database: Database,
  entries: readonly { id: string; at: Date; alike: number }[],
): Promise<void> =>
  void (await database.asyncCommit.query(
    raise({
      ids: entries.map(({ id }) => id),
      times: entries.map(({ at }) => at),
      alike: entries.map(({ alike }) => alike),
    }),
  ));

const add = prepared<{ rows: string }>(
  'add-request-counts',
  ({ rows }) => Prisma.sql`
  INSERT INTO "RequestCount" AS c ("projectId", "at", "operation", "status", "code", "count", "durations")
  SELECT r."projectId", r."at", r."operation", r."status", r."code", r."count", r."durations"
  FROM jsonb_to_recordset(${rows}::jsonb) AS r("projectId" uuid, "at" timestamptz, "operation" text, "status" smallint, "code" text,
    "count" int, "durations" jsonb)
  WHERE ${isPresent}
  ORDER BY r."projectId", r."at", r."operation", r."status", r."code"
  ON CONFLICT ("projectId", "at", "operation", "status", "code") DO UPDATE SET
    "count" = c."count" + excluded."count",
    "durations" = (
      SELECT jsonb_object_agg(s."step", s."times") FROM (
        SELECT d."key" AS "step", sum(d."value"::int) AS "times"
        FROM (SELECT * FROM jsonb_each_text(c."durations") UNION ALL SELECT * FROM jsonb_each_text(excluded."durations")) d
        GROUP BY d."key") s)`,
);

/** Adds to the counts, in the order of their keys, so that processes do not wait for one another in circles. */
export const addCounts = async (database: Database, rows: readonly CountRow[]): Promise<void> =>
  void (await database.asyncCommit.query(add({ rows: JSON.stringify(rows) })));

export interface FoundEntry extends Omit<EntryRow, 'at' | 'request' | 'response'> {
  at: Date;
  request: Record<string, unknown> | null;
  response: Record<string, unknown> | null;
}

export interface RequestSearch {
  projectId: string;
  status?: { from: number; to: number } | undefined;
  code?: string | undefined;
  operation?: string | undefined;
  keyId?: string | undefined;
  emailId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

function conditionOf({
  projectId,
  status,
  code,
  operation,
  keyId,
  emailId,
  from,
  to,
}: RequestSearch): Prisma.Sql {
  const conditions = [Prisma.sql`e."projectId" = ${projectId}::uuid`];
  if (status) conditions.push(Prisma.sql`e."status" BETWEEN ${status.from}::int AND ${status.to}::int`);
  if (code !== undefined) conditions.push(Prisma.sql`e."code" = ${code}`);
  if (operation !== undefined) conditions.push(Prisma.sql`e."operation" = ${operation}`);
  if (keyId !== undefined) conditions.push(Prisma.sql`e."keyId" = ${keyId}::uuid`);
  if (emailId !== undefined) conditions.push(Prisma.sql`e."emailIds" @> ARRAY[${emailId}::uuid]`);
  if (from) conditions.push(Prisma.sql`e."at" >= ${from}`);
  if (to) conditions.push(Prisma.sql`e."at" < ${to}`);
  return Prisma.join(conditions, ' AND ');
}

/** One keyset page, newest first. */
export function findEntries(
  db: Db,
  search: RequestSearch,
  after: Keyset | null,
  limit: number,
): Promise<FoundEntry[]> {
  const older = after
    ? Prisma.sql`AND (e."at", e."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<FoundEntry[]>(Prisma.sql`
SELECT ${columns} FROM "RequestEntry" e WHERE ${conditionOf(search)} ${older}
ORDER BY e."at" DESC, e."id" DESC LIMIT ${limit}::int`);
}

export async function countEntries(db: Db, search: RequestSearch): Promise<number> {
  const rows = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS "count" FROM "RequestEntry" e WHERE ${conditionOf(search)}`,
  );
  return rows[0]?.count ?? 0;
}

export async function findEntry(db: Db, projectId: string, id: string): Promise<FoundEntry | null> {
  const rows = await db.$queryRaw<FoundEntry[]>`
    SELECT ${columns} FROM "RequestEntry" e WHERE e."id" = ${id}::uuid AND e."projectId" = ${projectId}::uuid`;
  return rows[0] ?? null;
}

/** The counts of a period, oldest first; at most `limit`. */
export const findCounts = (
  db: Db,
  projectId: string,
  from: Date,
  to: Date,
  limit: number,
): Promise<Omit<CountRow, 'projectId'>[]> =>
  db.$queryRaw`
    SELECT "at", "operation", "status", "code", "count", "durations" FROM "RequestCount"
    WHERE "projectId" = ${projectId}::uuid AND "at" >= ${from} AND "at" < ${to}
    ORDER BY "at", "operation", "status", "code" LIMIT ${limit}::int`;

/**
 * Removes entries and counts of a project, a day at a time.
 *
 * @returns how many rows
 */
export async function removeRequests(db: Db, projectId: string): Promise<number> {
  const oldest = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT least((SELECT min("at") FROM "RequestEntry" WHERE "projectId" = ${projectId}::uuid),
      (SELECT min("at") FROM "RequestCount" WHERE "projectId" = ${projectId}::uuid)) AS "at"`;
  const first = oldest[0]?.at;
  if (!first) return 0;
  const end = new Date(dayStart(first.getTime()) + dayMs);
  const ids = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "RequestEntry" WHERE "projectId" = ${projectId}::uuid AND "at" < ${end} ORDER BY "at" LIMIT 2000`;
  if (ids.length > 0)
    return db.$executeRaw`
      DELETE FROM "RequestEntry" WHERE "id" = ANY(${ids.map(({ id }) => id)}::uuid[]) AND "projectId" = ${projectId}::uuid AND "at" < ${end}`;
  return db.$executeRaw`DELETE FROM "RequestCount" WHERE "projectId" = ${projectId}::uuid AND "at" < ${end}`;
}
