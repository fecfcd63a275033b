import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../base/kernel/index.ts';

export const recoveryCodeCount = 10;

/** Without letters that look like digits (Crockford's base32). */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const groups = 4;
const groupLength = 4;

/** Ten codes of 80 random bits, such as `7k2m-9xq4-0vbt-h3ra`. Being random, they need no slow hash. */
export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newRecoveryCode);

function newRecoveryCode(): string {
  const letters = [...randomBytes(groups * groupLength)]
    .map((byte) => alphabet[byte % alphabet.length])
    .join('');
  return Array.from({ length: groups }, (_, group) =>
    letters.slice(group * groupLength, (group + 1) * groupLength),
  ).join('-');
}

/** The hash of a code in any spelling of case, blanks and dashes; null when the text does not have the form of one. */
export function hashOfRecoveryCode(code: string): Uint8Array<ArrayBuffer> | null {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '');
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(letters) ? Uint8Array.from(sha256(letters)) : null;
}
