import type { Db, SqlDb } from '../../base/db/index.ts';

/** The numbers of topics that can be chosen, by their keys. */
export async function findTopicNumbers(
  db: SqlDb,
  projectId: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ key: string; number: number }[]>`
    SELECT "key", "number" FROM "Topic"
    WHERE "projectId" = ${projectId}::uuid AND "key" = ANY(${[...keys]}::text[]) AND "deletedAt" IS NULL AND NOT "archived"`;
  return new Map(rows.map(({ key, number }) => [key, number]));
}

/** The numbers of all topics that can be chosen, by their keys. */
export async function findChoosableTopics(db: SqlDb, projectId: string): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ key: string; number: number }[]>`
    SELECT "key", "number" FROM "Topic" WHERE "projectId" = ${projectId}::uuid AND "deletedAt" IS NULL AND NOT "archived"`;
  return new Map(rows.map(({ key, number }) => [key, number]));
}

/** The keys of all topics that are not deleted, by position. */
export async function findTopicKeys(db: Db, projectId: string): Promise<string[]> {
  const rows = await db.topic.findMany({
    where: { projectId, deletedAt: null },
    select: { key: true },
    orderBy: [{ position: 'asc' }, { number: 'asc' }],
  });
  return rows.map(({ key }) => key);
}
