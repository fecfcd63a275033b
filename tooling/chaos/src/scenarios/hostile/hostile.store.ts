import type { Pool } from 'pg';

/** Ids of emails of a project, the newest first. */
export async function emailIdsOf(db: Pool, projectId: string, most: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT "id" FROM "Email" WHERE "projectId" = $1 ORDER BY "id" DESC LIMIT $2`,
    [projectId, most],
  );
  return rows.map(({ id }) => id);
}

/** Emails of a project that have bounced or were complained about. */
export async function reportedEmails(db: Pool, projectId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Email" WHERE "projectId" = $1 AND ("bouncedAt" IS NOT NULL OR "complainedAt" IS NOT NULL)`,
    [projectId],
  );
  return rows[0]?.count ?? 0;
}

/** Emails to an address that will still be sent. */
export async function openEmailsTo(db: Pool, address: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Email" WHERE "to" = $1 AND "status" IN ('PENDING', 'SENDING')`,
    [address],
  );
  return rows[0]?.count ?? 0;
}

/** Counts bytes for a project, as if they had been stored earlier. */
export async function addStorage(db: Pool, projectId: string, bytes: number): Promise<void> {
  await db.query(`INSERT INTO "StorageUsage" ("projectId", "kind", "bytes") VALUES ($1, 'images', $2)`, [
    projectId,
    bytes,
  ]);
}
