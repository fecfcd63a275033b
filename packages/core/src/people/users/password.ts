import { argon2, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { inPasswordQueue } from './password-queue.ts';

const deriveArgon2 = promisify(argon2);
const deriveScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Argon2id (RFC 9106) with the parameters that OWASP recommends: 19 MiB, 2 passes, 1 lane. */
const current = { memory: 19_456, passes: 2, parallelism: 1 };
/** Parameters of the hashes that older versions stored (RFC 7914). */
const legacy = { logN: 15, r: 8, p: 1 };
const saltBytes = 16;
const hashBytes = 32;

type Verify = (password: string) => Promise<boolean>;

interface StoredHash {
  verify: Verify;
  /** made with other parameters than a new one */
  outdated: boolean;
  algorithm: 'argon2id' | 'scrypt';
}

export type PasswordCheck = { passed: false } | { passed: true; outdated: boolean };

/** `$argon2id$v=19$m=…,t=…,p=…$<salt>$<hash>`: each hash carries its parameters, so the cost can be raised later. */
export const hashPassword = (password: string): Promise<string> =>
  inPasswordQueue(async () => {
    const salt = randomBytes(saltBytes);
    const hash = await runArgon2(password, salt, current);
    const { memory, passes, parallelism } = current;
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(salt)}$${encode(hash)}`;
  });

/**
 * Whether the password matches the hash, and whether that hash should be replaced by one with the present parameters.
 *
 * A check that fails costs the same for every account, so that its time does not reveal whether the address is known
 * (behaviour B4.16): what the stored hash did not need is computed all the same.
 */
export const checkPassword = (password: string, stored: string | null): Promise<PasswordCheck> =>
  inPasswordQueue(async () => {
    const hash = readHash(stored ?? '');
    if (await hash?.verify(password)) return { passed: true, outdated: hash?.outdated === true };
    const salt = Buffer.alloc(saltBytes);
    if (hash?.algorithm !== 'argon2id') await runArgon2(password, salt, current);
    if (hash?.algorithm !== 'scrypt') await runScrypt(password, salt, legacy);
    return { passed: false };
  });

function readHash(stored: string): StoredHash | null {
  const modern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored);
  if (modern) {
    const [, m, t, p, salt = '', hash = ''] = modern;
    const cost = { memory: Number(m), passes: Number(t), parallelism: Number(p) };
    return {
      algorithm: 'argon2id',
      outdated: Object.entries(current).some(([name, value]) => cost[name as keyof typeof cost] !== value),
      verify: async (password) =>
        isSame(Buffer.from(hash, 'base64'), await runArgon2(password, Buffer.from(salt, 'base64'), cost)),
    };
  }
  const old = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (!old) return null;
  const [, logN, r, p, salt = '', hash = ''] = old;
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  return {
    algorithm: 'scrypt',
    outdated: true,
    verify: async (password) =>
      isSame(Buffer.from(hash, 'base64url'), await runScrypt(password, Buffer.from(salt, 'base64url'), cost)),
  };
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

const isSame = (wanted: Buffer, hash: Buffer): boolean =>
  wanted.length === hash.length && timingSafeEqual(wanted, hash);

/** The same characters typed on different systems give the same bytes once they are composed (RFC 8265, 4.2). */
const normal = (password: string): string => password.normalize('NFC');

const runArgon2 = (password: string, nonce: Buffer, cost: typeof current): Promise<Buffer> =>
  deriveArgon2('argon2id', { message: normal(password), nonce, tagLength: hashBytes, ...cost });

const runScrypt = (password: string, salt: Buffer, { logN, r, p }: typeof legacy): Promise<Buffer> =>
  deriveScrypt(normal(password), salt, hashBytes, { N: 2 ** logN, r, p, maxmem: 2 ** logN * r * 256 });
