import { AppError, command } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { storeToken } from './auth-tokens.store.ts';
import { newMailedToken } from './mailed-token.ts';
import { resetLifetimeMs, resetUrl } from './reset-link.ts';
import { requestPasswordResetInput, resetLinkOutput } from './users.schema.ts';
import { findUserByEmail } from './users.store.ts';

/** For an operator who helps a person without access to their mailbox, or whose installation cannot send email. */
export const createResetLink = command({
  name: 'auth.createResetLink',
  summary: 'Creates a link to set a new password, without sending it',
  permission: 'internal',
  risk: 'closed',
  internal: true,
  input: requestPasswordResetInput,
  output: resetLinkOutput,
  async handler(ctx, { email }) {
    const user = await findUserByEmail(ctx.db, email);
    if (!user) throw new AppError('RESOURCE_NOT_FOUND', `No user has the address ${email}`);
    const { token, hash } = newMailedToken();
    const expiresAt = new Date(Date.now() + resetLifetimeMs);
    await storeToken(ctx.db, newId(), { userId: user.id, kind: 'RESET_PASSWORD', hash, expiresAt });
    ctx.audit({ targetType: 'user', targetId: user.id });
    return { url: resetUrl(ctx.services.config, token), expiresAt };
  },
});
