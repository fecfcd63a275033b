import { randomBytes } from 'node:crypto';
import { sha256 } from '../../base/kernel/index.ts';

/** A secret sent by email (behaviour B4.16): the token goes into the link, only its hash is stored. */
export interface MailedToken {
  /** 32 random bytes as 64 lower-case hex digits */
  token: string;
  /** SHA-256 of the token */
  hash: Uint8Array<ArrayBuffer>;
}

export function newMailedToken(): MailedToken {
  const token = randomBytes(32).toString('hex');
  return { token, hash: Uint8Array.from(sha256(token)) };
}

/** The stored hash of a token; null when the text does not have the form of one. */
export const hashOfToken = (token: string): Uint8Array<ArrayBuffer> | null =>
  /^[0-9a-f]{64}$/.test(token) ? Uint8Array.from(sha256(token)) : null;
