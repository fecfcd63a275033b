import type { SqlDb } from '../../base/db/index.ts';
import { type LinkTagging, linkTaggingOf } from './link-tagging.schema.ts';

/** Which links a project has tagged. */
export async function findLinkTagging(db: SqlDb, projectId: string): Promise<LinkTagging> {
  const [row] = await db.$queryRaw<{ utm: unknown }[]>`
    SELECT "utm" FROM "Project" WHERE "id" = ${projectId}::uuid`;
  return linkTaggingOf(row?.utm ?? null);
}

/** The same; the row stays locked. `db` must be a transaction. */
export async function lockLinkTagging(db: SqlDb, projectId: string): Promise<LinkTagging> {
  const [row] = await db.$queryRaw<{ utm: unknown }[]>`
    SELECT "utm" FROM "Project" WHERE "id" = ${projectId}::uuid FOR UPDATE`;
  return linkTaggingOf(row?.utm ?? null);
}

export async function saveLinkTagging(db: SqlDb, projectId: string, tagging: LinkTagging): Promise<void> {
  await db.$executeRaw`
    UPDATE "Project" SET "utm" = ${JSON.stringify(tagging)}::jsonb, "updatedAt" = now() WHERE "id" = ${projectId}::uuid`;
}
