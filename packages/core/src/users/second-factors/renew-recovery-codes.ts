import { command, userIdOf } from '../../kernel/index.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { codeInput, recoveryCodesOutput } from './second-factors.schema.ts';
import { replaceRecoveryCodes } from './second-factors.store.ts';
import { countCodeAttempt, requireCode } from './use-code.ts';

export const renewRecoveryCodes = command({
  name: 'auth.renewRecoveryCodes',
  summary: 'Returns ten new recovery codes; the former ones are no longer valid',
  permission: 'self',
  errors: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: codeInput,
  output: recoveryCodesOutput,
  prepare: (ctx) => countCodeAttempt(ctx.services, userIdOf(ctx)),
  async handler(ctx, { code }, forgiveAttempt) {
    const userId = userIdOf(ctx);
    await requireCode(ctx, userId, code);
    const recoveryCodes = newRecoveryCodes();
    await replaceRecoveryCodes(
      ctx.db,
      userId,
      recoveryCodes.flatMap((each) => hashOfRecoveryCode(each) ?? []),
    );
    ctx.afterCommit(forgiveAttempt);
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['recoveryCodes'] });
    return { recoveryCodes };
  },
});
