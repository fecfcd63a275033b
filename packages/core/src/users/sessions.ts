import { AppError, type Services } from '../kernel/index.ts';
import { decodeClaims, encodeClaims } from './session-token.ts';
import { findSessionUser } from './users.store.ts';

/** Name of the cookie that carries the session (behaviour B5.2). */
export const sessionCookie = 'postrider_session';

/** How long a session lasts, in seconds: 7 days. */
export const sessionSeconds = 7 * 24 * 60 * 60;

/**
 * A signed token for a user who has just authenticated. It expires after 7 days, and at once when the account's
 * token version is raised.
 *
 * @throws AppError UNAUTHORIZED when the user has been deleted
 */
export async function issueSession(services: Services, { id }: { id: string }): Promise<string> {
  const user = await findSessionUser(services.database, id);
  if (!user) throw new AppError('UNAUTHORIZED', 'This account no longer exists');
  const expiresAt = Date.now() + sessionSeconds * 1000;
  return services.secrets.sign(
    'session',
    encodeClaims({ userId: id, tokenVersion: user.tokenVersion, expiresAt }),
  );
}

export interface Session {
  userId: string;
  /** also true where verification is not required (VERIFY_SIGNUP_EMAIL) */
  emailVerified: boolean;
}

/** The user of a session token; null when it is invalid, expired or revoked. */
export async function resolveSession(services: Services, token: string): Promise<Session | null> {
  const bytes = services.secrets.verify('session', token);
  const claims = bytes && decodeClaims(bytes);
  if (!claims || claims.expiresAt <= Date.now()) return null;
  const user = await findSessionUser(services.database, claims.userId);
  if (!user || user.tokenVersion !== claims.tokenVersion) return null;
  return { userId: claims.userId, emailVerified: user.emailVerified || !services.config.VERIFY_SIGNUP_EMAIL };
}
