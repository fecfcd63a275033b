import { type Db, Prisma, type SqlDb } from '../../../base/db/index.ts';
import { newId } from '../../../base/lib/index.ts';
import type { StoredValue } from '../contacts.rules.ts';
import type { DefinedType } from './definitions.rules.ts';
import type { FieldWalk } from './fields.store.ts';

export interface DefinitionRow {
  id: string;
  projectId: string;
  key: string;
  label: string | null;
  type: DefinedType;
  converting: boolean;
  unread: number;
  createdAt: Date;
  updatedAt: Date;
}

const columns = Prisma.sql`"id", "projectId", "key", "label", "type", "converting", "unread", "createdAt", "updatedAt"`;

export const readDefinitions = (db: SqlDb, projectId: string): Promise<DefinitionRow[]> => db.$queryRaw`
  SELECT ${columns} FROM "FieldDefinition" WHERE "projectId" = ${projectId}::uuid ORDER BY "key" COLLATE "C"`;

/** Definitions of one project are written one at a time, so that their number is exact. */
export const lockDefinitions = (db: Db, projectId: string): Promise<unknown> =>
  db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`definitions/${projectId}`}, 0))`;

/** Stores a definition; another type begins the conversion of the stored values anew. */
export async function writeDefinition(
  db: Db,
  projectId: string,
  { key, type, label }: { key: string; type: DefinedType; label: string | null | undefined },
): Promise<DefinitionRow> {
  const [row] = await db.$queryRaw<DefinitionRow[]>`
    INSERT INTO "FieldDefinition" AS d ("id", "projectId", "key", "label", "type")
    VALUES (${newId()}::uuid, ${projectId}::uuid, ${key}, ${label ?? null}, ${type})
    ON CONFLICT ("projectId", "key") DO UPDATE SET
      "label" = CASE WHEN ${label === undefined}::boolean THEN d."label" ELSE excluded."label" END,
      "converting" = d."converting" OR d."type" <> excluded."type",
      "convertedToCreatedAt" = CASE WHEN d."type" = excluded."type" THEN d."convertedToCreatedAt" END,
      "convertedToId" = CASE WHEN d."type" = excluded."type" THEN d."convertedToId" END,
      "unread" = CASE WHEN d."type" = excluded."type" THEN d."unread" ELSE 0 END,
      "type" = excluded."type", "updatedAt" = now()
    RETURNING ${columns}`;
  if (!row) throw new Error('a definition gave no row');
  return row;
}

export const removeDefinition = async (db: Db, projectId: string, key: string): Promise<void> => {
  await db.fieldDefinition.deleteMany({ where: { projectId, key } });
};

/** Requests of a project without definitions do not look for any. */
export const noteWhetherDefined = (db: Db, projectId: string): Promise<unknown> => db.$executeRaw`
  UPDATE "Project" p SET "definesFields" = d."any"
  FROM (SELECT EXISTS (SELECT FROM "FieldDefinition" WHERE "projectId" = ${projectId}::uuid) AS "any") d
  WHERE p."id" = ${projectId}::uuid AND p."definesFields" <> d."any"`;

export interface Conversion extends DefinitionRow {
  after: FieldWalk | null;
}

/** Longer than a process uses definitions that it knows: until then values arrive that are not converted. */
const knownAfterSeconds = 4;

/** A definition that all processes know and whose values are still to be converted, locked until the transaction ends. */
export async function lockConversion(db: Db, id: string): Promise<Conversion | null> {
  const [row] = await db.$queryRaw<
    (DefinitionRow & { convertedToCreatedAt: Date | null; convertedToId: string | null })[]
  >`
    SELECT ${columns}, "convertedToCreatedAt", "convertedToId" FROM "FieldDefinition"
    WHERE "id" = ${id}::uuid AND "converting" AND "updatedAt" <= now() - ${knownAfterSeconds}::int * interval '1 second' FOR UPDATE`;
  if (!row) return null;
  const { convertedToCreatedAt: createdAt, convertedToId, ...definition } = row;
  return {
    ...definition,
    after: createdAt && convertedToId ? { createdAt, id: convertedToId } : null,
  };
}

export interface FieldValue extends FieldWalk {
  value: unknown;
}

/** The values of a field of the next contacts that have it, in the order of their creation; locked in the order of addresses. */
export async function lockValues(
  db: Db,
  { projectId, key, after }: Conversion,
  limit: number,
): Promise<FieldValue[]> {
  const beyond = after
    ? Prisma.sql`AND ("createdAt", "id") > (${after.createdAt}::timestamptz, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<FieldValue[]>`
    WITH "having" AS (
      SELECT "id" FROM "Contact" WHERE "projectId" = ${projectId}::uuid AND jsonb_exists("data", ${key}::text) ${beyond}
      ORDER BY "createdAt", "id" LIMIT ${limit}::int
    ), "locked" AS MATERIALIZED (
      SELECT c."id", c."createdAt", c."data" -> ${key}::text AS "value" FROM "Contact" c JOIN "having" h ON h."id" = c."id"
      ORDER BY c."email" FOR NO KEY UPDATE OF c
    )
    SELECT * FROM "locked" ORDER BY "createdAt", "id"`;
}

/** Replaces values of a field. Nobody changed these contacts, so `updatedAt` stays. */
export async function replaceValues(
  db: Db,
  { projectId, key }: Pick<DefinitionRow, 'projectId' | 'key'>,
  values: readonly { id: string; value: StoredValue }[],
): Promise<void> {
  if (values.length === 0) return;
  await db.$executeRaw`
    UPDATE "Contact" c SET "data" = jsonb_set(c."data", ARRAY[${key}::text], v."value")
    FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS v("id" uuid, "value" jsonb)
    WHERE c."projectId" = ${projectId}::uuid AND c."id" = v."id" AND jsonb_exists(c."data", ${key}::text)`;
}

/** @param next where the next transaction goes on; null when all values are converted */
export async function saveConversion(
  db: Db,
  id: string,
  unread: number,
  next: FieldWalk | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "FieldDefinition" SET "unread" = "unread" + ${unread}::int, "converting" = ${next !== null}::boolean,
      "convertedToCreatedAt" = ${next?.createdAt ?? null}::timestamptz, "convertedToId" = ${next?.id ?? null}::uuid
    WHERE "id" = ${id}::uuid`;
}

/** Conversions that are still open long after they were asked for, oldest first, for `reconcile`. */
export async function findOpenConversions(
  db: Db,
  olderThanSeconds: number,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "FieldDefinition" WHERE "converting" AND "updatedAt" < now() - ${olderThanSeconds}::int * interval '1 second'
    ORDER BY "updatedAt" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}
