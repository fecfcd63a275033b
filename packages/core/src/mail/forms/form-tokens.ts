import { hash, randomBytes } from 'node:crypto';
import type { Secrets } from '../../base/kernel/index.ts';

/**
 * Tokens of forms: the signed time at which a page or a challenge was made, for one form. `wait` is that of the page on which a visitor
 * without a script waits, and belongs to one address.
 */
type Kind = 'page' | 'wait';

/** The first byte; links in emails use those up to 4 with the same key. */
const kinds: Record<Kind, number> = { page: 0x10, wait: 0x11 };

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');
const addressBytes = (email: string): Buffer => hash('sha256', email, 'buffer').subarray(0, 8);

interface TokenOf {
  kind: Kind;
  formId: string;
  /** as sent; only of `wait` */
  email?: string;
}

const subjectOf = ({ kind, formId, email }: TokenOf): Buffer =>
  Buffer.concat([
    Buffer.of(kinds[kind]),
    idBytes(formId),
    kind === 'wait' ? addressBytes(email ?? '') : Buffer.alloc(0),
  ]);

export function makeFormToken(secrets: Pick<Secrets, 'sign'>, of: TokenOf, now: Date): string {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(now.getTime()));
  // Two challenges of one moment have different salts.
  return secrets.sign('link', Buffer.concat([subjectOf(of), time, randomBytes(6)]));
}

/** How old a token is in milliseconds; null for one that is forged, of another form, or of another kind. */
export function ageOfFormToken(
  secrets: Pick<Secrets, 'verify'>,
  token: string,
  of: TokenOf,
  now: Date,
): number | null {
  if (token.length > 200) return null;
  const payload = secrets.verify('link', token);
  const subject = subjectOf(of);
  if (!payload || payload.length !== subject.length + 14) return null;
  if (!payload.subarray(0, subject.length).equals(subject)) return null;
  return now.getTime() - Number(payload.readBigUInt64BE(subject.length));
}

/** The salt of the work for a challenge: the end of its token, which is different for each. */
export const saltOf = (token: string): string => token.slice(-22);
