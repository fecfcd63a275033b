import type { Db } from '../../base/db/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';

export interface Credentials {
  id: string;
  email: string;
  passwordHash: string | null;
  tokenVersion: number;
}

const credentials = { id: true, email: true, passwordHash: true, tokenVersion: true } as const;

export const findCredentials = (db: Db, email: string): Promise<Credentials | null> =>
  db.user.findUnique({ where: { email }, select: credentials });

export const findCredentialsById = (db: Db, id: string): Promise<Credentials | null> =>
  db.user.findUnique({ where: { id }, select: credentials });

const person = {
  id: true,
  email: true,
  type: true,
  passwordHash: true,
  emailVerified: true,
  language: true,
  createdAt: true,
} as const;

const withoutHash = <Row extends { passwordHash: string | null }>({ passwordHash, ...user }: Row) => ({
  ...user,
  hasPassword: passwordHash !== null,
});

export async function findUser(db: Db, id: string) {
  const user = await db.user.findUnique({ where: { id }, select: person });
  return user && withoutHash(user);
}

export const findUserByEmail = (db: Db, email: string) =>
  db.user.findUnique({
    where: { email },
    select: { id: true, email: true, emailVerified: true, language: true },
  });

/** What is known of an address: whether the owner of an account has proven it, and since when its reader has disowned one. */
export const findAddress = (
  db: Db,
  email: string,
): Promise<{ emailVerified: boolean; disownedAt: Date | null } | null> =>
  db.user.findUnique({ where: { email }, select: { emailVerified: true, disownedAt: true } });

/** Sets the language of emails to the user. */
export const setLanguage = async (db: Db, id: string, language: MailLanguage) =>
  withoutHash(await db.user.update({ where: { id }, data: { language }, select: person }));

/** Marks the user's address as proven. */
export const proveAddress = (db: Db, id: string) =>
  db.user.update({ where: { id }, data: { emailVerified: true }, select: { id: true, email: true } });

/** Sets a password after a reset by email, which also proves the address. */
export async function resetCredentials(db: Db, id: string, passwordHash: string): Promise<void> {
  await db.user.update({
    where: { id },
    data: { passwordHash, emailVerified: true, tokenVersion: { increment: 1 } },
  });
}

/** False until the first sign-up of the installation, which is always possible (behaviour B10). */
export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.user.findFirst({ select: { id: true } })) !== null;

/** Only one transaction at a time may create the first account. */
export async function lockFirstSignup(db: Db): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended('first sign-up', 0))::text`;
}

export const addressTaken = async (db: Db, email: string): Promise<boolean> =>
  (await db.user.count({ where: { email } })) > 0;

/** @returns false when the address has been taken in the meantime */
export async function insertUser(
  db: Db,
  user: { id: string; email: string; passwordHash: string; language: MailLanguage },
): Promise<boolean> {
  const { count } = await db.user.createMany({ data: [user], skipDuplicates: true });
  return count === 1;
}

/** @returns false when the account changed since `tokenVersion` was read */
export async function replacePassword(db: Db, user: Credentials, passwordHash: string): Promise<boolean> {
  const { count } = await db.user.updateMany({
    where: { id: user.id, tokenVersion: user.tokenVersion },
    data: { passwordHash, tokenVersion: { increment: 1 } },
  });
  return count === 1;
}

/** Stores the same password under a stronger hash, unless it has been changed since it was read. Sessions continue. */
export async function upgradeHash(db: Db, user: Credentials, passwordHash: string): Promise<void> {
  await db.user.updateMany({
    where: { id: user.id, tokenVersion: user.tokenVersion, passwordHash: user.passwordHash },
    data: { passwordHash },
  });
}
