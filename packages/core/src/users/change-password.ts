import { AppError, command, userIdOf } from '../kernel/index.ts';
import { checkPassword, hashPassword } from './password.ts';
import { changePasswordInput, successOutput } from './users.schema.ts';
import { findCredentialsById, replacePassword } from './users.store.ts';

export const changePassword = command({
  name: 'auth.changePassword',
  summary: 'Changes the password and ends all other sessions of the account',
  permission: 'account',
  errors: ['INVALID_CREDENTIALS'],
  input: changePasswordInput,
  output: successOutput,
  async prepare(ctx, { currentPassword, newPassword }) {
    const user = await findCredentialsById(ctx.db, userIdOf(ctx));
    if (!(await checkPassword(currentPassword, user?.passwordHash ?? null)) || !user) throw wrongPassword();
    return { user, passwordHash: await hashPassword(newPassword) };
  },
  async handler(ctx, _input, { user, passwordHash }) {
    if (!(await replacePassword(ctx.db, user, passwordHash))) throw wrongPassword();
    ctx.audit({ targetType: 'user', targetId: user.id, changed: ['password'] });
    return { success: true as const };
  },
});

const wrongPassword = (): AppError => new AppError('INVALID_CREDENTIALS', 'The current password is wrong');
