import { badRequest, command } from '../kernel/index.ts';
import { takeToken } from './auth-tokens.store.ts';
import { hashOfToken } from './mailed-token.ts';
import { tokenInput, verifiedOutput } from './users.schema.ts';
import { proveAddress } from './users.store.ts';

export const verifyEmail = command({
  name: 'auth.verifyEmail',
  summary: 'Verifies an email address with the token of a verification link.',
  permission: 'public',
  errors: ['BAD_REQUEST'],
  input: tokenInput,
  output: verifiedOutput,
  async handler(ctx, { token }) {
    const hash = hashOfToken(token);
    const userId = hash && (await takeToken(ctx.db, 'VERIFY_EMAIL', hash));
    if (!userId) {
      throw badRequest('This verification link is invalid, has expired or has been used', {
        suggestion: 'Request a new link',
      });
    }
    const { id, email } = await proveAddress(ctx.db, userId);
    ctx.audit({ targetType: 'user', targetId: id, changed: ['emailVerified'] });
    return { id, email, emailVerified: true as const };
  },
});
