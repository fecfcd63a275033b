import { command, userIdOf } from '../../../base/kernel/index.ts';
import { successOutput } from '../users.schema.ts';
import { proofInput } from './passkeys.schema.ts';
import { removeFactorsOf } from './second-factors.store.ts';
import { prepareOwnProof } from './use-proof.ts';

export const removeSecondFactors = command({
  name: 'auth.removeSecondFactors',
  summary: 'Removes the authenticator app, the passkeys and the recovery codes of the account',
  permission: 'self',
  risk: 'closed',
  errors: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: proofInput,
  output: successOutput,
  prepare: prepareOwnProof,
  async handler(ctx, _input, accept) {
    const userId = userIdOf(ctx);
    // A stolen session must not be enough to remove what protects the account.
    await accept(ctx);
    await removeFactorsOf(ctx.db, userId);
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['secondFactor'] });
    return { success: true as const };
  },
});
