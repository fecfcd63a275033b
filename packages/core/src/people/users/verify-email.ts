import { AppError, badRequest, type Context, command } from '../../base/kernel/index.ts';
import { findTokenUser, takeToken } from './auth-tokens.store.ts';
import { hashOfToken } from './mailed-token.ts';
import { checkPassword, hashPassword } from './password.ts';
import { removeSessionsOf } from './sessions.store.ts';
import { countAccountAttempt, countClientAttempt } from './sign-in-limits.ts';
import { endEarlierAccess } from './take-over.store.ts';
import { verifiedOutput, verifyEmailInput } from './users.schema.ts';
import {
  type Credentials,
  findCredentialsById,
  findUser,
  proveAddress,
  resetCredentials,
} from './users.store.ts';

/**
 * The link proves that its reader has the mailbox, not that the account is theirs: somebody else may have signed up with the address.
 * Whoever neither has a session of the account nor knows its password gets it as by a reset.
 */
export const verifyEmail = command({
  name: 'auth.verifyEmail',
  summary:
    'Verifies an email address with the token of a verification link, in a session of the account, with its password, or with a new one.',
  permission: 'public',
  risk: 'closed',
  optionalSession: true,
  errors: ['BAD_REQUEST', 'FORBIDDEN', 'INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: verifyEmailInput,
  output: verifiedOutput,
  async prepare(ctx, { token, password, newPassword }) {
    const hash = hashOfToken(token);
    const userId = hash && (await findTokenUser(ctx.db, 'VERIFY_EMAIL', hash));
    const user = userId && (await findCredentialsById(ctx.db, userId));
    if (!user) throw badToken();
    if (newPassword !== undefined) {
      await countClientAttempt(ctx.services, ctx.request.ip);
      return { hash, passwordHash: await hashPassword(newPassword) };
    }
    if (!isSessionOf(ctx, user)) await requirePassword(ctx, user, password);
    return { hash, passwordHash: null };
  },
  async handler(ctx, _input, { hash, passwordHash }) {
    const { db, services } = ctx;
    const userId = await takeToken(db, 'VERIFY_EMAIL', hash);
    const user = userId && (await findUser(db, userId));
    if (!user) throw badToken();
    const { id, email } = user;
    ctx.audit({
      targetType: 'user',
      targetId: id,
      changed: passwordHash === null ? ['emailVerified'] : ['emailVerified', 'password'],
    });
    if (passwordHash === null) {
      await proveAddress(db, id);
    } else {
      if (user.emailVerified) await removeSessionsOf(db, id, null);
      else await endEarlierAccess(db, services.secrets, id);
      await resetCredentials(db, id, passwordHash);
    }
    return { id, email, emailVerified: true as const };
  },
});

const isSessionOf = ({ actor }: Context, { id }: Credentials): boolean =>
  actor.type === 'user' && actor.userId === id;

async function requirePassword(ctx: Context, user: Credentials, password: string | undefined): Promise<void> {
  if (password === undefined) {
    throw new AppError('FORBIDDEN', 'Sign in to this account, or give its password or a new one', {
      details: { needs: ['session', 'password', 'newPassword'] },
      suggestion: 'Open the link in the browser in which you are signed in, or set a new password',
    });
  }
  await countClientAttempt(ctx.services, ctx.request.ip);
  const forgiveAttempt = await countAccountAttempt(ctx.services, user.email);
  const { passed } = await checkPassword(password, user.passwordHash);
  if (!passed) throw new AppError('INVALID_CREDENTIALS', 'The password is wrong');
  await forgiveAttempt();
}

const badToken = (): AppError =>
  badRequest('This verification link is invalid, has expired or has been used', {
    suggestion: 'Request a new link',
  });
