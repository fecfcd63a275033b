import { createHash, randomBytes } from 'node:crypto';
import { AppError, type Services } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { findSession, insertSession, removeSessionByToken, touchSession } from './sessions.store.ts';

/** Name of the cookie that carries the session (behaviour B5.2). */
export const sessionCookie = 'postrider_session';

/** How long an unused session lasts, in seconds: 7 days. */
export const sessionSeconds = 7 * 24 * 60 * 60;

/** A session in use is extended at most this often, so that a request rarely writes. */
const extendEveryMs = 60_000;
const longestUserAgent = 500;
const tokenPattern = /^[\w-]{43}$/;

const hashOf = (token: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(createHash('sha256').update(token).digest());

const expiryFrom = (now: Date): Date => new Date(now.getTime() + sessionSeconds * 1000);

/** Where a session is used from, as shown in the list of sessions. */
export interface SessionOrigin {
  ip: string | null;
  userAgent: string | null;
}

/**
 * Starts a session for a user who has just authenticated. @returns its token, which is stored only as a hash
 *
 * @throws AppError UNAUTHORIZED when the user has been deleted
 */
export async function issueSession(
  services: Services,
  { id: userId }: { id: string },
  { ip, userAgent }: SessionOrigin = { ip: null, userAgent: null },
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const stored = await insertSession(services.database, {
    id: newId(),
    userId,
    tokenHash: hashOf(token),
    ip,
    userAgent: userAgent?.replaceAll('\0', '').slice(0, longestUserAgent) ?? null,
    expiresAt: expiryFrom(new Date()),
  });
  if (!stored) throw new AppError('UNAUTHORIZED', 'This account no longer exists');
  return token;
}

export interface Session {
  id: string;
  userId: string;
  /** also true where verification is not required (VERIFY_SIGNUP_EMAIL) */
  emailVerified: boolean;
  /** the session was extended, so the browser's cookie needs its new lifetime */
  extended: boolean;
}

/**
 * The session of a token, which is extended by this; null when it is unknown, expired or ended.
 *
 * @param extend false where nobody uses it, as for a page that is only left open
 */
export async function resolveSession(
  services: Services,
  token: string,
  { extend = true } = {},
): Promise<Session | null> {
  if (!tokenPattern.test(token)) return null;
  const now = new Date();
  const found = await findSession(services.database, hashOf(token), now);
  if (!found) return null;
  const extended = extend && now.getTime() - found.lastSeenAt.getTime() >= extendEveryMs;
  if (extended) await touchSession(services.database, found.id, now, expiryFrom(now));
  return {
    id: found.id,
    userId: found.userId,
    emailVerified: found.emailVerified || !services.config.VERIFY_SIGNUP_EMAIL,
    extended,
  };
}

/** Ends the session of a token, if there is one. */
export async function endSession(services: Services, token: string): Promise<void> {
  if (tokenPattern.test(token)) await removeSessionByToken(services.database, hashOf(token));
}
