import type { Db } from '../../../base/db/index.ts';

export interface StoredPasskey {
  id: string;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: bigint;
  transports: string[];
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface NewPasskey
  extends Pick<StoredPasskey, 'id' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'> {
  userId: string;
}

/** The passkeys of a user, the oldest first. */
export const findPasskeys = (db: Db, userId: string): Promise<StoredPasskey[]> =>
  db.passkey.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

export const findPasskey = (db: Db, userId: string, credentialId: string): Promise<StoredPasskey | null> =>
  db.passkey.findFirst({ where: { userId, credentialId } });

/** @returns null when a passkey with this credential exists already */
export async function insertPasskey(db: Db, passkey: NewPasskey): Promise<StoredPasskey | null> {
  const [row] = await db.passkey.createManyAndReturn({ data: [passkey], skipDuplicates: true });
  return row ?? null;
}

/**
 * Records a use. Authenticators that do not count always report 0.
 *
 * @returns false when the passkey was removed, or this counter, or a higher one, was used before
 */
export async function takeCounter(db: Db, id: string, counter: number): Promise<boolean> {
  const { count } = await db.passkey.updateMany({
    where: { id, OR: [{ counter: { lt: counter } }, ...(counter === 0 ? [{ counter: 0 }] : [])] },
    data: { counter, lastUsedAt: new Date() },
  });
  return count === 1;
}

/** @returns whether the user had it */
export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const { count } = await db.passkey.deleteMany({ where: { id, userId } });
  return count === 1;
}
