import { AppError, command, userIdOf } from '../../base/kernel/index.ts';
import { checkPassword, hashPassword } from './password.ts';
import { removeSessionsOf } from './sessions.store.ts';
import { countAccountAttempt } from './sign-in-limits.ts';
import { changePasswordInput, successOutput } from './users.schema.ts';
import { findCredentialsById, replacePassword } from './users.store.ts';

export const changePassword = command({
  name: 'auth.changePassword',
  summary: 'Changes the password and ends all other sessions of the account',
  permission: 'account',
  risk: 'closed',
  errors: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: changePasswordInput,
  output: successOutput,
  async prepare(ctx, { currentPassword, newPassword }) {
    const user = await findCredentialsById(ctx.db, userIdOf(ctx));
    if (!user) throw wrongPassword();
    // Counted like a login of the account: a stolen session must not be a way to guess the password.
    const forgiveAttempt = await countAccountAttempt(ctx.services, user.email);
    const { passed } = await checkPassword(currentPassword, user.passwordHash);
    if (!passed) throw wrongPassword();
    await forgiveAttempt();
    return { user, passwordHash: await hashPassword(newPassword) };
  },
  async handler(ctx, _input, { user, passwordHash }) {
    if (!(await replacePassword(ctx.db, user, passwordHash))) throw wrongPassword();
    await removeSessionsOf(ctx.db, user.id, null);
    ctx.audit({ targetType: 'user', targetId: user.id, changed: ['password'] });
    return { success: true as const };
  },
});

const wrongPassword = (): AppError => new AppError('INVALID_CREDENTIALS', 'The current password is wrong');
