import type { Db, Prisma } from '../db/index.ts';

type Row = Prisma.PersistedDocumentGetPayload<object>;

const prefix = 'sha256:';
const hashOf = (id: string): string => id.slice(prefix.length);

const present = ({ hash, text, createdAt }: Row) => ({ id: prefix + hash, document: text, createdAt });

/** Documents of a project by their ids; unknown ones are left out. */
export async function findDocuments(db: Db, projectId: string, ids: readonly string[]) {
  const rows = await db.persistedDocument.findMany({ where: { projectId, hash: { in: ids.map(hashOf) } } });
  return rows.map(present);
}

/** The documents of a project, newest first. */
export async function listDocumentRows(db: Db, projectId: string) {
  const rows = await db.persistedDocument.findMany({
    where: { projectId },
    orderBy: [{ createdAt: 'desc' }, { hash: 'asc' }],
  });
  return rows.map(present);
}

/** How many documents a project has. Locks the project, so that documents stored at the same time are counted one after another. */
export async function countDocuments(db: Db, projectId: string): Promise<number> {
  await db.$queryRaw`SELECT 1 FROM "Project" WHERE "id" = ${projectId}::uuid FOR NO KEY UPDATE`;
  return db.persistedDocument.count({ where: { projectId } });
}

export async function insertDocuments(
  db: Db,
  projectId: string,
  documents: readonly { id: string; document: string }[],
): Promise<void> {
  await db.persistedDocument.createMany({
    data: documents.map(({ id, document }) => ({ projectId, hash: hashOf(id), text: document })),
    skipDuplicates: true,
  });
}

/** @returns false when the project has no such document */
export async function removeDocument(db: Db, projectId: string, id: string): Promise<boolean> {
  const { count } = await db.persistedDocument.deleteMany({ where: { projectId, hash: hashOf(id) } });
  return count > 0;
}
