import type { Db, Prisma } from '../../base/db/index.ts';

type Row = Prisma.ApiKeyGetPayload<object>;

/** A named key as it is shown. */
export interface NamedKeyRow extends Omit<Row, 'name' | 'hash' | 'domains' | 'projectId'> {
  name: string;
  domains: string[] | null;
}

const present = ({ hash: _hash, projectId: _projectId, name, domains, ...row }: Row): NamedKeyRow => ({
  ...row,
  name: name ?? '',
  domains: domains.length > 0 ? domains : null,
});

/** The named keys of a project, newest first. */
export async function findNamedKeys(db: Db, projectId: string): Promise<NamedKeyRow[]> {
  const rows = await db.apiKey.findMany({
    where: { projectId, name: { not: null } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(present);
}

/** How many named keys a project has. Locks the project, so that keys created at the same time are counted one after another. */
export async function countNamedKeys(db: Db, projectId: string): Promise<number> {
  await db.$queryRaw`SELECT 1 FROM "Project" WHERE "id" = ${projectId}::uuid FOR NO KEY UPDATE`;
  return db.apiKey.count({ where: { projectId, name: { not: null } } });
}

export const insertNamedKey = async (
  db: Db,
  key: Prisma.ApiKeyUncheckedCreateInput & { name: string },
): Promise<NamedKeyRow> => present(await db.apiKey.create({ data: key }));

/** @returns false when the project has no named key with this id */
/** @returns its name; null when the project has no such key */
export async function removeNamedKey(db: Db, projectId: string, id: string): Promise<string | null> {
  const [row] = await db.$queryRaw<{ name: string }[]>`
    DELETE FROM "ApiKey" WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid AND "name" IS NOT NULL RETURNING "name"`;
  return row?.name ?? null;
}
