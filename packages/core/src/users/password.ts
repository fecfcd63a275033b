import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** scrypt (RFC 7914) for interactive logins: 2^15 × 8 × 128 bytes, so each guess takes 32 MiB and about 0.1 s. */
const current = { logN: 15, r: 8, p: 1 };
const saltBytes = 16;
const hashBytes = 32;

interface Cost {
  logN: number;
  r: number;
  p: number;
}

/** `scrypt$<log2 N>$<r>$<p>$<salt>$<hash>`: each hash carries its parameters, so the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await run(password, salt, current);
  const { logN, r, p } = current;
  return ['scrypt', logN, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/**
 * Whether the password matches the hash. Without a hash (unknown account, or one without a password) the same work
 * is done, so that timing does not reveal whether the account exists.
 */
export async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  const parts = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored ?? '');
  if (!parts) {
    await run(password, Buffer.alloc(saltBytes), current);
    return false;
  }
  const [, logN, r, p, salt = '', expected = ''] = parts;
  const cost: Cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  const hash = await run(password, Buffer.from(salt, 'base64url'), cost);
  const wanted = Buffer.from(expected, 'base64url');
  return wanted.length === hash.length && timingSafeEqual(wanted, hash);
}

/** The same characters typed on different systems give the same bytes once they are composed (RFC 8265, 4.2). */
const run = (password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> =>
  derive(password.normalize('NFC'), salt, hashBytes, { N: 2 ** logN, r, p, maxmem: 2 ** logN * r * 256 });
