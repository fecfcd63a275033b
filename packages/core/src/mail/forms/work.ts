import { hash } from 'node:crypto';

/** Work that a guarded form asks for (behaviour B12.6): cheap for one person, dear for many submissions. */

/** Leading zero bits of the hash: about a quarter of a million attempts. */
export const workBits = 18;
export const longestWork = 64;

/** For how long the token of a challenge can be used, and how old that of a page has to be, in milliseconds. */
export const challengeMs = 3_600_000;
export const youngestMs = 2_000;
/** How long a visitor without a script waits, in milliseconds. */
export const waitMs = 5_000;

/** Whether SHA-256 of `<salt>:<email as sent>:<work>` begins with as many zero bits. */
export function isRightWork(salt: string, email: string, work: string, bits: number = workBits): boolean {
  if (work.length > longestWork) return false;
  return leadingZeros(hash('sha256', `${salt}:${email}:${work}`, 'buffer')) >= bits;
}

function leadingZeros(bytes: Buffer): number {
  let bits = 0;
  for (const byte of bytes) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
}
