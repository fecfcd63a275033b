import { type Db, Prisma } from '../../base/db/index.ts';
import type { SourceRefKind, SourceService } from './source-refs.schema.ts';

export interface SourceRefKey {
  source: SourceService;
  kind: SourceRefKind;
  sourceId: string;
}

export interface SourceRefRow extends SourceRefKey {
  /** of the template or segment */
  id: string;
  createdAt: Date;
}

const columns = Prisma.sql`r."source"::text AS "source", r."kind"::text AS "kind", r."sourceId", coalesce(r."templateId", r."segmentId") AS "id", r."createdAt"`;

export interface SourceRefSearch {
  projectId: string;
  source?: SourceService | undefined;
  kind?: SourceRefKind | undefined;
}

function conditionOf({ projectId, source, kind }: SourceRefSearch): Prisma.Sql {
  const conditions = [Prisma.sql`r."projectId" = ${projectId}::uuid`];
  if (source !== undefined) conditions.push(Prisma.sql`r."source" = ${source}::"SourceService"`);
  if (kind !== undefined) conditions.push(Prisma.sql`r."kind" = ${kind}::"SourceRefKind"`);
  return Prisma.join(conditions, ' AND ');
}

/** One keyset page, in the order of the primary key. */
export function findSourceRefs(
  db: Db,
  search: SourceRefSearch,
  after: SourceRefKey | null,
  limit: number,
): Promise<SourceRefRow[]> {
  const later = after
    ? Prisma.sql`AND (r."source", r."kind", r."sourceId") > (${after.source}::"SourceService", ${after.kind}::"SourceRefKind", ${after.sourceId}::text)`
    : Prisma.empty;
  return db.$queryRaw<SourceRefRow[]>(Prisma.sql`
SELECT ${columns} FROM "SourceRef" r WHERE ${conditionOf(search)} ${later}
ORDER BY r."source", r."kind", r."sourceId" LIMIT ${limit}`);
}

export async function countSourceRefs(db: Db, search: SourceRefSearch): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS count FROM "SourceRef" r WHERE ${conditionOf(search)}`,
  );
  return row?.count ?? 0;
}

/** Until the transaction ends, no other one adds a reference to the project. */
export const lockSourceRefs = async (db: Db, projectId: string): Promise<void> => {
  await db.$queryRaw`SELECT FROM "Project" WHERE "id" = ${projectId}::uuid FOR NO KEY UPDATE`;
};

export async function sourceRefExists(
  db: Db,
  projectId: string,
  { source, kind, sourceId }: SourceRefKey,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "SourceRef" WHERE "projectId" = ${projectId}::uuid AND "source" = ${source}::"SourceService"
      AND "kind" = ${kind}::"SourceRefKind" AND "sourceId" = ${sourceId}`;
  return rows.length > 0;
}

/** Whether a template is there, which stays until the transaction ends. */
export async function templateExists(db: Db, projectId: string, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM "Template" WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid FOR KEY SHARE`;
  return rows.length > 0;
}

/** Adds a reference, or gives it another target. */
export async function putSourceRef(
  db: Db,
  projectId: string,
  { source, kind, sourceId }: SourceRefKey,
  id: string,
): Promise<SourceRefRow | undefined> {
  const [row] = await db.$queryRaw<SourceRefRow[]>(Prisma.sql`
    INSERT INTO "SourceRef" AS r ("projectId", "source", "kind", "sourceId", "templateId", "segmentId")
    VALUES (${projectId}::uuid, ${source}::"SourceService", ${kind}::"SourceRefKind", ${sourceId},
      ${kind === 'TEMPLATE' ? id : null}::uuid, ${kind === 'SEGMENT' ? id : null}::uuid)
    ON CONFLICT ("projectId", "source", "kind", "sourceId")
      DO UPDATE SET "templateId" = EXCLUDED."templateId", "segmentId" = EXCLUDED."segmentId"
    RETURNING ${columns}`);
  return row;
}

/** @returns what it meant; null when there was none */
export async function takeSourceRef(
  db: Db,
  projectId: string,
  { source, kind, sourceId }: SourceRefKey,
): Promise<string | null> {
  const [row] = await db.$queryRaw<{ id: string }[]>`
    DELETE FROM "SourceRef" WHERE "projectId" = ${projectId}::uuid AND "source" = ${source}::"SourceService"
      AND "kind" = ${kind}::"SourceRefKind" AND "sourceId" = ${sourceId}
    RETURNING coalesce("templateId", "segmentId") AS "id"`;
  return row?.id ?? null;
}

/** The targets of several ids, in one statement. */
export function readTargets(
  db: Db,
  projectId: string,
  { source, kind }: Pick<SourceRefKey, 'source' | 'kind'>,
  sourceIds: readonly string[],
): Promise<{ sourceId: string; id: string }[]> {
  return db.$queryRaw<{ sourceId: string; id: string }[]>`
    SELECT "sourceId", coalesce("templateId", "segmentId") AS "id" FROM "SourceRef"
    WHERE "projectId" = ${projectId}::uuid AND "source" = ${source}::"SourceService"
      AND "kind" = ${kind}::"SourceRefKind" AND "sourceId" = ANY(${[...sourceIds]}::text[])`;
}
