import { command, userIdOf } from '../../kernel/index.ts';
import { successOutput } from '../users.schema.ts';
import { codeInput } from './second-factors.schema.ts';
import { removeFactorsOf } from './second-factors.store.ts';
import { countCodeAttempt, requireCode } from './use-code.ts';

export const removeSecondFactors = command({
  name: 'auth.removeSecondFactors',
  summary: 'Removes the authenticator app and the recovery codes of the account',
  permission: 'self',
  errors: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: codeInput,
  output: successOutput,
  prepare: (ctx) => countCodeAttempt(ctx.services, userIdOf(ctx)),
  async handler(ctx, { code }, forgiveAttempt) {
    const userId = userIdOf(ctx);
    // A stolen session must not be enough to remove what protects the account.
    await requireCode(ctx, userId, code);
    await removeFactorsOf(ctx.db, userId);
    ctx.afterCommit(forgiveAttempt);
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['secondFactor'] });
    return { success: true as const };
  },
});
