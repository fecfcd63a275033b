import { type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';

export interface NewUpload {
  id: string;
  projectId: string;
  key: string;
  filename: string;
  contentType: string;
  size: number;
  width: number | null;
  height: number | null;
}

export type UploadRow = Prisma.UploadGetPayload<object>;

export async function insertUpload(db: Db, upload: NewUpload): Promise<void> {
  await db.upload.create({ data: upload });
}

interface UploadSearch {
  projectId: string;
  /** part of the file name */
  search?: string | null | undefined;
}

const conditionOf = ({ projectId, search }: UploadSearch): Prisma.Sql =>
  search
    ? Prisma.sql`"projectId" = ${projectId}::uuid AND "filename" ILIKE ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`
    : Prisma.sql`"projectId" = ${projectId}::uuid`;

/** One keyset page, newest first. */
export const findUploads = (
  db: Db,
  search: UploadSearch,
  after: Keyset | null,
  limit: number,
): Promise<UploadRow[]> =>
  db.$queryRaw<UploadRow[]>(Prisma.sql`
SELECT * FROM "Upload" WHERE ${conditionOf(search)}
  ${after ? Prisma.sql`AND ("createdAt", "id") < (${new Date(after.value)}, ${after.id}::uuid)` : Prisma.empty}
ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}`);

export async function countUploads(db: Db, search: UploadSearch): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>(
    Prisma.sql`SELECT count(*)::int AS "count" FROM "Upload" WHERE ${conditionOf(search)}`,
  );
  return row?.count ?? 0;
}

export const findUpload = (db: Db, projectId: string, id: string): Promise<UploadRow | null> =>
  db.upload.findFirst({ where: { id, projectId } });

export async function removeUpload(db: Db, projectId: string, id: string): Promise<void> {
  await db.upload.deleteMany({ where: { id, projectId } });
}
