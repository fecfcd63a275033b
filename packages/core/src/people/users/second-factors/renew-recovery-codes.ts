import { command, userIdOf } from '../../../base/kernel/index.ts';
import { issueRecoveryCodes } from './issue-recovery-codes.ts';
import { proofInput } from './passkeys.schema.ts';
import { recoveryCodesOutput } from './second-factors.schema.ts';
import { prepareOwnProof } from './use-proof.ts';

export const renewRecoveryCodes = command({
  name: 'auth.renewRecoveryCodes',
  summary: 'Returns ten new recovery codes; the former ones are no longer valid',
  permission: 'self',
  risk: 'closed',
  errors: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: proofInput,
  output: recoveryCodesOutput,
  prepare: prepareOwnProof,
  async handler(ctx, _input, accept) {
    const userId = userIdOf(ctx);
    await accept(ctx);
    const recoveryCodes = await issueRecoveryCodes(ctx.db, userId);
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['recoveryCodes'] });
    return { recoveryCodes };
  },
});
