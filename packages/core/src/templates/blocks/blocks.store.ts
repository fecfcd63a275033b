import { type Db, Prisma } from '../../db/index.ts';
import { type Keyset, newId } from '../../kernel/index.ts';

export type BlockRow = Prisma.SavedBlockGetPayload<object>;

interface BlockContent {
  name: string;
  body: string;
}

export const insertBlock = (db: Db, block: BlockContent & { projectId: string }): Promise<BlockRow> =>
  db.savedBlock.create({ data: { ...block, id: newId() } });

export const findBlock = (db: Db, projectId: string, id: string): Promise<BlockRow | null> =>
  db.savedBlock.findFirst({ where: { id, projectId } });

/** @returns null when there is none */
export async function changeBlock(
  db: Db,
  projectId: string,
  id: string,
  { name, body }: { [Field in keyof BlockContent]?: string | undefined },
): Promise<BlockRow | null> {
  const data = { ...(name !== undefined && { name }), ...(body !== undefined && { body }) };
  const [row] = await db.savedBlock.updateManyAndReturn({ where: { id, projectId }, data });
  return row ?? null;
}

/** @returns false when there is none */
export async function removeBlock(db: Db, projectId: string, id: string): Promise<boolean> {
  const { count } = await db.savedBlock.deleteMany({ where: { id, projectId } });
  return count > 0;
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
SELECT * FROM "SavedBlock" WHERE ${conditionOf(search)}
  ${after ? Prisma.sql`AND ("createdAt", "id") < (${new Date(after.value)}, ${after.id}::uuid)` : Prisma.empty}
ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}`);

export async function countBlocks(db: Db, search: BlockSearch): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS "count" FROM "SavedBlock" WHERE ${conditionOf(search)}`,
  );
  return row?.count ?? 0;
}
