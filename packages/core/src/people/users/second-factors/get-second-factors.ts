import { emptyObject, query, userIdOf } from '../../../base/kernel/index.ts';
import { findPasskeys } from './passkeys.store.ts';
import { presentPasskey } from './present-passkey.ts';
import { needsPassword } from './require-own-password.ts';
import { secondFactorsOutput } from './second-factors.schema.ts';
import { countRecoveryCodes, findApp } from './second-factors.store.ts';

export const getSecondFactors = query({
  name: 'auth.getSecondFactors',
  summary: 'Returns which second factors the account has',
  permission: 'self',
  input: emptyObject,
  output: secondFactorsOutput,
  async handler(ctx) {
    const userId = userIdOf(ctx);
    const app = await findApp(ctx.db, userId);
    const passkeys = await findPasskeys(ctx.db, userId);
    const isProtected = Boolean(app?.confirmedAt) || passkeys.length > 0;
    return {
      authenticatorApp: app?.confirmedAt ? { addedAt: app.confirmedAt } : null,
      passkeys: passkeys.map(presentPasskey),
      recoveryCodesLeft: await countRecoveryCodes(ctx.db, userId),
      needsPassword: !isProtected && (await needsPassword(ctx)),
    };
  },
});
