import { command, newId } from '../kernel/index.ts';
import { passwordResetMail } from './account-mail.ts';
import { storeToken } from './auth-tokens.store.ts';
import { newMailedToken } from './mailed-token.ts';
import { resetLifetimeMs } from './reset-link.ts';
import { countClientAttempt, countMail } from './sign-in-limits.ts';
import { requestPasswordResetInput, successOutput } from './users.schema.ts';
import { findUserByEmail, undone } from './users.store.ts';

export const requestPasswordReset = command({
  name: 'auth.requestPasswordReset',
  summary: 'Sends a link to set a new password, if the address has an account.',
  permission: 'public',
  errors: ['RATE_LIMIT_EXCEEDED'],
  input: requestPasswordResetInput,
  output: successOutput,
  async prepare({ services, request, db }, { email }) {
    await countClientAttempt(services, request.ip);
    const user = await findUserByEmail(db, email);
    const mayMail = await countMail(services, 'reset', email).isWithinLimit();
    return mayMail ? user : null;
  },
  async handler(ctx, { email }, user) {
    const { services } = ctx;
    const { token, hash } = newMailedToken();
    const write = async () => {
      await services.platformMail.write(
        ctx.db,
        passwordResetMail(services.config, { email, language: user?.language ?? 'en' }, token),
      );
    };
    if (user) {
      await storeToken(ctx.db, newId(), {
        userId: user.id,
        kind: 'RESET_PASSWORD',
        hash,
        expiresAt: new Date(Date.now() + resetLifetimeMs),
      });
      await write();
    } else {
      // Unknown addresses take the same time: the email is written and rolled back.
      await undone(ctx.db, write);
    }
    ctx.afterCommit(() => services.platformMail.notify());
    return { success: true as const };
  },
});
