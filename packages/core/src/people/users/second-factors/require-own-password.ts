import { AppError, type Context, sessionIdOf, userIdOf } from '../../../base/kernel/index.ts';
import { checkPassword } from '../password.ts';
import { findSessionStart } from '../sessions.store.ts';
import { countAccountAttempt } from '../sign-in-limits.ts';
import { findCredentialsById } from '../users.store.ts';

/** How long after signing in the first second factor can be added without the password, in milliseconds (behaviour B4.16). */
const freshMs = 10 * 60_000;

/** Whether the session is old enough that its first second factor needs the password. */
export async function needsPassword(ctx: Context): Promise<boolean> {
  const startedAt = await findSessionStart(ctx.db, sessionIdOf(ctx));
  return startedAt === null || Date.now() - startedAt.getTime() > freshMs;
}

/**
 * Has the first second factor of an account confirmed by its password, unless the session has just begun: with a factor of their own,
 * whoever stole a session could lock its owner out.
 *
 * @throws AppError INVALID_CREDENTIALS, RATE_LIMIT_EXCEEDED
 */
export async function requireOwnPassword(ctx: Context, password: string | undefined): Promise<void> {
  if (!(await needsPassword(ctx))) return;
  const user = await findCredentialsById(ctx.db, userIdOf(ctx));
  if (!user?.passwordHash) {
    throw new AppError('INVALID_CREDENTIALS', 'This account has no password to confirm it with', {
      suggestion: 'Sign in again at your provider, and add it within 10 minutes',
    });
  }
  if (password === undefined) throw wrongPassword();
  const forgiveAttempt = await countAccountAttempt(ctx.services, user.email);
  const { passed } = await checkPassword(password, user.passwordHash);
  if (!passed) throw wrongPassword();
  await forgiveAttempt();
}

const wrongPassword = (): AppError =>
  new AppError('INVALID_CREDENTIALS', 'The password is missing or wrong', {
    suggestion: 'Give the password of the account as `password`',
  });
