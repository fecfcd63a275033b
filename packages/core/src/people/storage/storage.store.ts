import { type Database, type Db, Prisma, prepared } from '../../base/db/index.ts';
import type { StorageKind } from './storage.schema.ts';

/** Entries that are not folded yet count as well, so that the figures are those of the last commit. */
export async function storageByKind(db: Db, projectId: string): Promise<Map<StorageKind, number>> {
  const rows = await db.$queryRaw<{ kind: StorageKind; bytes: number }[]>`
    SELECT s."kind"::text AS "kind", sum(s."bytes")::float8 AS "bytes" FROM (
      SELECT "kind", "bytes" FROM "StorageUsage" WHERE "projectId" = ${projectId}::uuid
      UNION ALL SELECT "kind", "bytes" FROM "StorageEntry" WHERE "projectId" = ${projectId}::uuid
    ) s GROUP BY 1`;
  return new Map(rows.map(({ kind, bytes }) => [kind, bytes]));
}

const sumOf = (projects: Prisma.Sql) => Prisma.sql`
  WITH mine AS MATERIALIZED (SELECT m."projectId" FROM "Member" m ${projects} AND m."role" = 'OWNER')
  SELECT (coalesce((SELECT sum(u."bytes") FROM mine JOIN "StorageUsage" u ON u."projectId" = mine."projectId"), 0)
    + coalesce((SELECT sum(e."bytes") FROM mine JOIN "StorageEntry" e ON e."projectId" = mine."projectId"), 0))::float8 AS "bytes"`;

const ofOwner = prepared<{ ownerId: string }>('storage-of-owner', ({ ownerId }) =>
  sumOf(Prisma.sql`WHERE m."userId" = ${ownerId}`),
);
const ofUnproven = prepared('storage-of-unproven', () =>
  sumOf(Prisma.sql`JOIN "User" u ON u."id" = m."userId" WHERE NOT u."emailVerified"`),
);

/** @param ownerId null: of all owners without a proven address together */
export async function storageOfOwner(
  { durable }: Pick<Database, 'durable'>,
  ownerId: string | null,
): Promise<number> {
  const { rows } = await durable.query<{ bytes: number }>(
    ownerId === null ? ofUnproven({}) : ofOwner({ ownerId }),
  );
  return rows[0]?.bytes ?? 0;
}

const ofAll = prepared(
  'storage-of-all',
  () => Prisma.sql`
    SELECT s."kind"::text AS "kind", sum(s."bytes")::float8 AS "bytes" FROM (
      SELECT "kind", "bytes" FROM "StorageUsage" UNION ALL SELECT "kind", "bytes" FROM "StorageEntry") s GROUP BY 1`,
);

export async function storageOfAll({
  durable,
}: Pick<Database, 'durable'>): Promise<{ kind: string; bytes: number }[]> {
  const { rows } = await durable.query<{ kind: string; bytes: number }>(ofAll({}));
  return rows;
}

/**
 * Adds up to so many entries to the usage of their projects and removes them, in one statement: each counts exactly once, also when the
 * process ends meanwhile.
 *
 * @returns how many entries it was
 */
export async function foldEntries(db: Db, limit: number): Promise<number> {
  const [folded] = await db.$queryRaw<{ count: number }[]>(Prisma.sql`
    WITH taken AS MATERIALIZED (
      DELETE FROM "StorageEntry" e WHERE e."id" = ANY(ARRAY(
        SELECT o."id" FROM "StorageEntry" o ORDER BY o."id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))
      RETURNING e."projectId", e."kind", e."bytes"
    ), added AS (
      INSERT INTO "StorageUsage" AS u ("projectId", "kind", "bytes")
      SELECT t."projectId", t."kind", sum(t."bytes") FROM taken t JOIN "Project" p ON p."id" = t."projectId"
      GROUP BY 1, 2 ORDER BY 1, 2
      ON CONFLICT ("projectId", "kind") DO UPDATE SET "bytes" = u."bytes" + EXCLUDED."bytes"
    )
    SELECT count(*)::int AS "count" FROM taken`);
  return folded?.count ?? 0;
}
