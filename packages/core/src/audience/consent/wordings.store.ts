import { createHash } from 'node:crypto';
import { type Db, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { maxWordings } from './consent.rules.ts';

export interface WordingRow {
  id: string;
  language: 'en' | 'nl' | 'fr' | 'de' | 'es' | 'it' | 'pt' | 'pl' | 'hi' | 'ja' | 'zh';
  text: string;
  createdAt: Date;
}

const columns = Prisma.sql`"id", "language", "text", "createdAt"`;

const hashOf = (language: string, text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(`${language}\n${text}`).digest());

/**
 * Stores exact words once per language and text.
 *
 * @returns the record, and whether this call stored it; null when the project has as many as it may
 */
export async function storeWording(
  db: Db,
  projectId: string,
  { language, text }: { language: string; text: string },
): Promise<{ wording: WordingRow; isNew: boolean } | null> {
  const hash = hashOf(language, text);
  const [added] = await db.$queryRaw<WordingRow[]>`
    INSERT INTO "Wording" ("id", "projectId", "hash", "language", "text")
    SELECT ${newId()}::uuid, ${projectId}::uuid, ${hash}, ${language}, ${text}
    WHERE (SELECT count(*) FROM "Wording" WHERE "projectId" = ${projectId}::uuid) < ${maxWordings}::int
    ON CONFLICT ("projectId", "hash") DO NOTHING RETURNING ${columns}`;
  if (added) return { wording: added, isNew: true };
  const [found] = await db.$queryRaw<WordingRow[]>`
    SELECT ${columns} FROM "Wording" WHERE "projectId" = ${projectId}::uuid AND "hash" = ${hash}`;
  return found ? { wording: found, isNew: false } : null;
}

export async function findWording(db: Db, projectId: string, id: string): Promise<WordingRow | null> {
  const [row] = await db.$queryRaw<WordingRow[]>`
    SELECT ${columns} FROM "Wording" WHERE "projectId" = ${projectId}::uuid AND "id" = ${id}::uuid`;
  return row ?? null;
}

export const hasWording = async (db: Db, projectId: string, id: string): Promise<boolean> =>
  (await db.wording.count({ where: { projectId, id } })) > 0;

/** One keyset page, newest first. */
export const findWordings = (
  db: Db,
  projectId: string,
  after: Keyset | null,
  limit: number,
): Promise<WordingRow[]> => db.$queryRaw<WordingRow[]>`
  SELECT ${columns} FROM "Wording" WHERE "projectId" = ${projectId}::uuid
    ${after ? Prisma.sql`AND ("createdAt", "id") < (${new Date(after.value)}, ${after.id}::uuid)` : Prisma.empty}
  ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}::int`;

export const countWordings = (db: Db, projectId: string): Promise<number> =>
  db.wording.count({ where: { projectId } });
