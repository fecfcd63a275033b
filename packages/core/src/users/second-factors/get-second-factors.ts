import { emptyObject, query, userIdOf } from '../../kernel/index.ts';
import { findPasskeys } from './passkeys.store.ts';
import { presentPasskey } from './present-passkey.ts';
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
    return {
      authenticatorApp: app?.confirmedAt ? { addedAt: app.confirmedAt } : null,
      passkeys: (await findPasskeys(ctx.db, userId)).map(presentPasskey),
      recoveryCodesLeft: await countRecoveryCodes(ctx.db, userId),
    };
  },
});
