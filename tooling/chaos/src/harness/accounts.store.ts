import { randomBytes } from 'node:crypto';
import { sha256 } from '@postrider/core/base/kernel';
import { newId } from '@postrider/core/base/lib';
import type { Pool } from 'pg';

/** A signed-in user. */
export interface TestAccount {
  id: string;
  email: string;
  /** what a browser sends with each request */
  headers: Record<string, string>;
}

/** Creates a user with a session, and makes it the owner of projects. Inserted as rows: sign-ups of one address are limited. */
export async function createAccount(
  db: Pool,
  { email, proven, projects = [] }: { email: string; proven: boolean; projects?: readonly { id: string }[] },
): Promise<TestAccount> {
  const [id, token] = [newId(), randomBytes(32).toString('base64url')];
  await db.query(
    `INSERT INTO "User" ("id", "email", "emailVerified", "updatedAt") VALUES ($1, $2, $3, now())`,
    [id, email, proven],
  );
  await db.query(
    `INSERT INTO "Session" ("id", "userId", "tokenHash", "expiresAt") VALUES ($1, $2, $3, now() + interval '1 day')`,
    [newId(), id, sha256(token)],
  );
  await db.query(
    `INSERT INTO "Member" ("projectId", "userId", "role") SELECT p, $2, 'OWNER' FROM unnest($1::uuid[]) p`,
    [projects.map((project) => project.id), id],
  );
  return {
    id,
    email,
    headers: { cookie: `postrider_session=${token}`, 'sec-fetch-site': 'same-origin' },
  };
}
