import { AppError, badRequest, command, emptyObject, userIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { accountDeletionMail } from './account-mail.ts';
import { storeToken } from './auth-tokens.store.ts';
import { deletionLifetimeMs } from './deletion-link.ts';
import { newMailedToken } from './mailed-token.ts';
import { requireNoProjects } from './require-no-projects.ts';
import { countMail } from './sign-in-limits.ts';
import { successOutput } from './users.schema.ts';
import { findUser } from './users.store.ts';

export const requestDeletion = command({
  name: 'users.requestDeletion',
  summary: 'Sends the link with which an account without a password is deleted',
  permission: 'self',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  input: emptyObject,
  output: successOutput,
  async prepare(ctx) {
    const user = await findUser(ctx.db, userIdOf(ctx));
    if (!user) throw new AppError('UNAUTHORIZED', 'This account no longer exists');
    if (user.hasPassword)
      throw badRequest('This account has a password', {
        suggestion: 'Delete it with its password as currentPassword',
      });
    await requireNoProjects(ctx.db, user.id);
    await countMail(ctx.services, 'deletion', user.email).orThrow();
    return user;
  },
  async handler(ctx, _input, { id, email, language }) {
    const { db, services } = ctx;
    const { token, hash } = newMailedToken();
    const expiresAt = new Date(Date.now() + deletionLifetimeMs);
    await storeToken(db, newId(), { userId: id, kind: 'DELETE_ACCOUNT', hash, expiresAt });
    await services.platformMail.write(db, accountDeletionMail(services.config, { email, language }, token));
    ctx.afterCommit(() => services.platformMail.notify());
    ctx.audit({ targetType: 'user', targetId: id });
    return { success: true as const };
  },
});
