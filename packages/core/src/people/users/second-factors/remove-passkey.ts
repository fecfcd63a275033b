import { AppError, command, userIdOf } from '../../../base/kernel/index.ts';
import { successOutput } from '../users.schema.ts';
import { removePasskeyInput } from './passkeys.schema.ts';
import { deletePasskey } from './passkeys.store.ts';
import { hasSecondFactor, lockFactors, removeFactorsOf } from './second-factors.store.ts';
import { prepareOwnProof } from './use-proof.ts';

export const removePasskey = command({
  name: 'auth.removePasskey',
  summary: 'Removes a passkey; with the last second factor, the recovery codes go too',
  permission: 'self',
  risk: 'closed',
  errors: ['RESOURCE_NOT_FOUND', 'INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: removePasskeyInput,
  output: successOutput,
  prepare: (ctx, { code, passkey }) => prepareOwnProof(ctx, { code, passkey }),
  async handler(ctx, { id }, accept) {
    const userId = userIdOf(ctx);
    await accept(ctx);
    await lockFactors(ctx.db, userId);
    if (!(await deletePasskey(ctx.db, userId, id)))
      throw new AppError('RESOURCE_NOT_FOUND', 'Passkey not found');
    if (!(await hasSecondFactor(ctx.db, userId))) await removeFactorsOf(ctx.db, userId);
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['passkeys'] });
    return { success: true as const };
  },
});
