import type { Db } from '../../../base/db/index.ts';

type Hash = Uint8Array<ArrayBuffer>;

export interface AuthenticatorApp {
  id: string;
  secretCipher: string;
  lastStep: number | null;
  confirmedAt: Date | null;
}

const app = { id: true, secretCipher: true, lastStep: true, confirmedAt: true } as const;

/** The user's app, also one that is not confirmed yet. */
export const findApp = (db: Db, userId: string): Promise<AuthenticatorApp | null> =>
  db.authenticatorApp.findUnique({ where: { userId }, select: app });

/** Serializes changes to the second factors of a user until the transaction ends. */
export async function lockFactors(db: Db, userId: string): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`second factors:${userId}`}, 0))::text`;
}

/** Whether the user has a confirmed authenticator app or a passkey. */
export const hasSecondFactor = async (db: Db, userId: string): Promise<boolean> => {
  const either = [{ authenticatorApp: { confirmedAt: { not: null } } }, { passkeys: { some: {} } }];
  return (await db.user.count({ where: { id: userId, OR: either } })) > 0;
};

/** Stores an app to confirm; it replaces one that was not. @returns false when the user has a confirmed one */
export async function storeApp(
  db: Db,
  { id, userId, secretCipher }: { id: string; userId: string; secretCipher: string },
): Promise<boolean> {
  await dropUnconfirmedApp(db, userId);
  const { count } = await db.authenticatorApp.createMany({
    data: [{ id, userId, secretCipher }],
    skipDuplicates: true,
  });
  return count === 1;
}

/** Removes an app that was never confirmed. */
export async function dropUnconfirmedApp(db: Db, userId: string): Promise<void> {
  await db.authenticatorApp.deleteMany({ where: { userId, confirmedAt: null } });
}

/** @returns false when it has been confirmed or replaced in the meantime */
export async function confirmApp(db: Db, id: string, lastStep: number): Promise<boolean> {
  const { count } = await db.authenticatorApp.updateMany({
    where: { id, confirmedAt: null },
    data: { confirmedAt: new Date(), lastStep },
  });
  return count === 1;
}

/** Accepts the code of a time step. @returns false when that step, or a later one, was accepted before */
export async function takeStep(db: Db, id: string, step: number): Promise<boolean> {
  const { count } = await db.authenticatorApp.updateMany({
    where: { id, confirmedAt: { not: null }, OR: [{ lastStep: null }, { lastStep: { lt: step } }] },
    data: { lastStep: step },
  });
  return count === 1;
}

export const countRecoveryCodes = (db: Db, userId: string): Promise<number> =>
  db.recoveryCode.count({ where: { userId } });

/** Consumes a code. @returns whether the user had it */
export async function takeRecoveryCode(db: Db, userId: string, codeHash: Hash): Promise<boolean> {
  const { count } = await db.recoveryCode.deleteMany({ where: { userId, codeHash } });
  return count === 1;
}

/** The former codes are no longer valid. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: readonly Hash[]): Promise<void> {
  await db.recoveryCode.deleteMany({ where: { userId } });
  await db.recoveryCode.createMany({ data: hashes.map((codeHash) => ({ userId, codeHash })) });
}

export async function removeFactorsOf(db: Db, userId: string): Promise<void> {
  await db.authenticatorApp.deleteMany({ where: { userId } });
  await db.passkey.deleteMany({ where: { userId } });
  await db.recoveryCode.deleteMany({ where: { userId } });
}
