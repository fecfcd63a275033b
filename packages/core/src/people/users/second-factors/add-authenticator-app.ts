import { command, conflict, suggestions, userIdOf } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { findUser } from '../users.store.ts';
import { addAppInput } from './passkeys.schema.ts';
import { findPasskeys } from './passkeys.store.ts';
import { requireOwnPassword } from './require-own-password.ts';
import { enrolmentOutput } from './second-factors.schema.ts';
import { storeApp } from './second-factors.store.ts';
import { enrolmentOf, newTotpSecret } from './totp.ts';
import { prepareOwnProof } from './use-proof.ts';

export const addAuthenticatorApp = command({
  name: 'auth.addAuthenticatorApp',
  summary: 'Returns the secret for an authenticator app, which is asked for once a code has confirmed it',
  permission: 'self',
  risk: 'closed',
  errors: ['INVALID_CREDENTIALS', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  input: addAppInput,
  output: enrolmentOutput,
  async prepare(ctx, { password, ...proof }) {
    const passkeys = await findPasskeys(ctx.db, userIdOf(ctx));
    // A stolen session must not be enough to add a factor beside the one that protects the account.
    if (passkeys.length > 0) return prepareOwnProof(ctx, proof);
    await requireOwnPassword(ctx, password);
    return null;
  },
  async handler(ctx, _input, accept) {
    if (accept) await accept(ctx);
    const userId = userIdOf(ctx);
    const id = newId();
    const secret = newTotpSecret();
    const secretCipher = ctx.services.secrets.encrypt(secret, 'AuthenticatorApp.secretCipher', id);
    if (!(await storeApp(ctx.db, { id, userId, secretCipher }))) {
      throw conflict('This account already has an authenticator app', {
        suggestion: suggestions.CONFLICT.hasAuthenticatorApp,
      });
    }
    ctx.audit({ targetType: 'user', targetId: userId });
    const user = await findUser(ctx.db, userId);
    return enrolmentOf(secret, user?.email ?? userId);
  },
});
