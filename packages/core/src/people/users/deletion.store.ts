import type { Db } from '../../base/db/index.ts';

export interface LeavingAccount {
  email: string;
  tokenVersion: number;
  /** whether the sandbox has sent to the unproven address today (UTC), or its reader has disowned the account (behaviour B11.4) */
  mustProve: boolean;
}

/** An account, which nothing else changes or joins to a project until the transaction ends; null when it is gone. */
export async function lockAccount(db: Db, id: string): Promise<LeavingAccount | null> {
  const [account] = await db.$queryRaw<LeavingAccount[]>`
    SELECT u."email", u."tokenVersion", NOT u."emailVerified" AND (u."disownedAt" IS NOT NULL OR EXISTS (
      SELECT FROM "SandboxSlot" s WHERE s."userId" = u."id" AND s."day" = (now() AT TIME ZONE 'UTC')::date)) AS "mustProve"
    FROM "User" u WHERE u."id" = ${id}::uuid FOR UPDATE OF u`;
  return account ?? null;
}

/** The projects that a user owns, by name. */
export async function findOwnedProjects(db: Db, userId: string): Promise<{ id: string; name: string }[]> {
  const owned = await db.member.findMany({
    where: { userId, role: 'OWNER', project: { deletedAt: null } },
    select: { project: { select: { id: true, name: true } } },
    orderBy: { project: { name: 'asc' } },
  });
  return owned.map(({ project }) => project);
}

/** The projects of others that a user is a member of. */
export async function findJoinedProjects(db: Db, userId: string): Promise<string[]> {
  const joined = await db.member.findMany({
    where: { userId, role: { not: 'OWNER' }, project: { deletedAt: null } },
    select: { projectId: true },
    orderBy: { projectId: 'asc' },
  });
  return joined.map(({ projectId }) => projectId);
}

/**
 * Removes a user with everything that belongs to one: sessions, second factors, sign-ins of providers, memberships, tokens, requests for
 * links. What limits attempts on the address remains for its day, under hashes.
 */
export async function removeUser(db: Db, id: string, email: string): Promise<void> {
  await db.pendingMail.deleteMany({ where: { email } });
  await db.authAttempt.deleteMany({ where: { key: `invitations-unproven:${id}` } });
  await db.user.delete({ where: { id } });
}
