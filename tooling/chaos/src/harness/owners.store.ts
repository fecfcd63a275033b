import { newId } from '@postrider/core/base/lib';
import type { Pool } from 'pg';

/** Gives projects to new accounts: one for all of them, or one for each, with a proven address or without. */
export async function giveToOwners(
  db: Pool,
  projects: readonly { id: string }[],
  { accounts, proven }: { accounts: 'one' | 'each'; proven: boolean },
): Promise<void> {
  const first = newId();
  const owners = projects.map(() => (accounts === 'one' ? first : newId()));
  await db.query(
    `INSERT INTO "User" ("id", "email", "emailVerified", "updatedAt") SELECT DISTINCT u, u || '@owners.test', $2::boolean, now() FROM unnest($1::uuid[]) u`,
    [owners, proven],
  );
  await db.query(
    `INSERT INTO "Member" ("projectId", "userId", "role") SELECT p, u, 'OWNER' FROM unnest($1::uuid[], $2::uuid[]) AS t(p, u)`,
    [projects.map(({ id }) => id), owners],
  );
}

/** Contents that are filled in plainly because they reached a limit. */
export async function limitedContents(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Content" WHERE "limitedAt" IS NOT NULL`,
  );
  return rows[0]?.count ?? 0;
}

export async function failedEmails(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Email" WHERE "status" = 'FAILED'`,
  );
  return rows[0]?.count ?? 0;
}
