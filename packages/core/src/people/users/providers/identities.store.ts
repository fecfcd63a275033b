import type { Db, UserType } from '../../../base/db/index.ts';
import type { Secrets } from '../../../base/kernel/index.ts';
import type { MailLanguage } from '../../../base/lib/index.ts';
import { endEarlierAccess } from '../take-over.store.ts';

export interface Account {
  id: string;
  email: string;
  emailVerified: boolean;
}

const account = { id: true, email: true, emailVerified: true } as const;

/** Sign-ins with one address wait for each other, so that two at a time create one account. */
export async function lockAddress(db: Db, email: string): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`user:${email}`}, 0))::text`;
}

export async function findAccountOf(db: Db, issuer: string, subject: string): Promise<Account | null> {
  const row = await db.identity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { user: { select: account } },
  });
  return row?.user ?? null;
}

export const findAccountByAddress = (db: Db, email: string): Promise<Account | null> =>
  db.user.findUnique({ where: { email }, select: account });

export async function linkIdentity(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
  userId: string,
): Promise<void> {
  await db.identity.createMany({ data: [{ issuer, subject, userId }], skipDuplicates: true });
}

/** @returns false when the address has been taken in the meantime */
export async function insertProvenUser(
  db: Db,
  user: { id: string; email: string; type: UserType; language: MailLanguage },
): Promise<boolean> {
  const { count } = await db.user.createMany({
    data: [{ ...user, emailVerified: true }],
    skipDuplicates: true,
  });
  return count === 1;
}

/**
 * Gives an account whose address was never proven to the address's owner: what its creator could sign in with is removed.
 */
export async function giveToOwner(db: Db, secrets: Secrets, id: string, type: UserType): Promise<void> {
  await endEarlierAccess(db, secrets, id);
  await db.user.update({
    where: { id },
    data: { type, passwordHash: null, emailVerified: true, tokenVersion: { increment: 1 } },
  });
}
