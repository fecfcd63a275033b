import { badRequest, command, userIdOf } from '../../../base/kernel/index.ts';
import { issueRecoveryCodes } from './issue-recovery-codes.ts';
import { codeInput, recoveryCodesOutput } from './second-factors.schema.ts';
import { confirmApp, findApp } from './second-factors.store.ts';
import { stepOf } from './totp.ts';
import { countFactorAttempt, wrongCode } from './use-code.ts';

export const confirmAuthenticatorApp = command({
  name: 'auth.confirmAuthenticatorApp',
  summary: 'Turns on the authenticator app with one of its codes, and returns ten recovery codes',
  permission: 'self',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: codeInput,
  output: recoveryCodesOutput,
  prepare: (ctx) => countFactorAttempt(ctx.services, userIdOf(ctx)),
  async handler(ctx, { code }, forgiveAttempt) {
    const { db, services } = ctx;
    const userId = userIdOf(ctx);
    const app = await findApp(db, userId);
    if (!app || app.confirmedAt) {
      throw badRequest('There is no authenticator app to confirm', { suggestion: 'Add one first' });
    }
    const secret = services.secrets.decrypt(app.secretCipher, 'AuthenticatorApp.secretCipher', app.id);
    const step = stepOf(secret, code.replaceAll(/\s/g, ''), Date.now());
    if (step === null || !(await confirmApp(db, app.id, step))) throw wrongCode();
    const recoveryCodes = await issueRecoveryCodes(db, userId);
    ctx.afterCommit(forgiveAttempt);
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['secondFactor'] });
    return { recoveryCodes };
  },
});
