import { badRequest, command } from '../../base/kernel/index.ts';
import { findTokenUser, takeToken } from './auth-tokens.store.ts';
import { hashOfToken } from './mailed-token.ts';
import { hashPassword } from './password.ts';
import { removeSessionsOf } from './sessions.store.ts';
import { countClientAttempt } from './sign-in-limits.ts';
import { endEarlierAccess } from './take-over.store.ts';
import { resetPasswordInput, successOutput } from './users.schema.ts';
import { findUser, resetCredentials } from './users.store.ts';

export const resetPassword = command({
  name: 'auth.resetPassword',
  summary: 'Sets a new password with the token of a reset link and ends every session of the account.',
  permission: 'public',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'RATE_LIMIT_EXCEEDED'],
  input: resetPasswordInput,
  output: successOutput,
  async prepare({ services, request, db }, { token, password }) {
    await countClientAttempt(services, request.ip);
    const hash = hashOfToken(token);
    if (!hash || !(await findTokenUser(db, 'RESET_PASSWORD', hash))) throw badToken();
    return { hash, passwordHash: await hashPassword(password) };
  },
  async handler(ctx, _input, { hash, passwordHash }) {
    const userId = await takeToken(ctx.db, 'RESET_PASSWORD', hash);
    if (!userId) throw badToken();
    const user = await findUser(ctx.db, userId);
    // An account that was created without proof of its address goes to the owner of that address, and to nobody else.
    if (user?.emailVerified === false) await endEarlierAccess(ctx.db, ctx.services.secrets, userId);
    else await removeSessionsOf(ctx.db, userId, null);
    await resetCredentials(ctx.db, userId, passwordHash);
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['password'] });
    return { success: true as const };
  },
});

const badToken = () =>
  badRequest('This reset link is invalid, has expired or has been used', {
    suggestion: 'Request a new link',
  });
