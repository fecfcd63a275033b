import { type Db, Prisma } from '../../../base/db/index.ts';
import type { Keyset } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import type { Design } from '../design.schema.ts';
import { jsonOf } from '../versions/versions.store.ts';

/** Lists have no designs. */
export interface BlockRow extends Omit<Prisma.SavedBlockGetPayload<object>, 'design'> {
  design?: Design | null;
}

const presentBlock = ({ design, ...block }: Prisma.SavedBlockGetPayload<object>): BlockRow => ({
  ...block,
  design: design as Design | null,
});

interface BlockContent {
  name: string;
  body: string;
  design: Design | null;
}

export async function insertBlock(db: Db, block: BlockContent & { projectId: string }): Promise<BlockRow> {
  const data = { ...block, design: jsonOf(block.design), id: newId() };
  return presentBlock(await db.savedBlock.create({ data }));
}

export async function findBlock(db: Db, projectId: string, id: string): Promise<BlockRow | null> {
  const row = await db.savedBlock.findFirst({ where: { id, projectId } });
  return row && presentBlock(row);
}

/** The bytes of storage that a block uses; 0 when it does not exist. */
export async function storedBytesOfBlock(db: Db, projectId: string, id: string): Promise<number> {
  const [row] = await db.$queryRaw<{ bytes: number }[]>(
    Prisma.sql`SELECT "storedBytes"::float8 AS "bytes" FROM "SavedBlock" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid`,
  );
  return row?.bytes ?? 0;
}

/** @returns null when there is none */
export async function changeBlock(
  db: Db,
  projectId: string,
  id: string,
  { name, body, design }: { [Field in keyof BlockContent]?: BlockContent[Field] | undefined },
): Promise<BlockRow | null> {
  const data = {
    ...(name !== undefined && { name }),
    ...(body !== undefined && { body }),
    ...(design !== undefined && { design: jsonOf(design) }),
  };
  const [row] = await db.savedBlock.updateManyAndReturn({ where: { id, projectId }, data });
  return row ? presentBlock(row) : null;
}

/** @returns false when there is none */
/** @returns its name; null when the project has no such block */
export async function removeBlock(db: Db, projectId: string, id: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ name: string }[]>`
    DELETE FROM "SavedBlock" WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid RETURNING "name"`;
  return row?.name ?? null;
}

interface BlockSearch {
  projectId: string;
  /** part of the name */
  search?: string | null | undefined;
}

const conditionOf = ({ projectId, search }: BlockSearch): Prisma.Sql =>
  search
    ? Prisma.sql`"projectId" = ${projectId}::uuid AND "name" ILIKE ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`
    : Prisma.sql`"projectId" = ${projectId}::uuid`;

/** One keyset page, newest first. */
export const findBlocks = (
  db: Db,
  search: BlockSearch,
  after: Keyset | null,
  limit: number,
): Promise<BlockRow[]> =>
  db.$queryRaw<BlockRow[]>(Prisma.sql`
SELECT "id", "projectId", "name", "body", "createdAt", "updatedAt" FROM "SavedBlock" WHERE ${conditionOf(search)}
  ${after ? Prisma.sql`AND ("createdAt", "id") < (${new Date(after.value)}, ${after.id}::uuid)` : Prisma.empty}
ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}`);

export async function countBlocks(db: Db, search: BlockSearch): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS "count" FROM "SavedBlock" WHERE ${conditionOf(search)}`,
  );
  return row?.count ?? 0;
}
