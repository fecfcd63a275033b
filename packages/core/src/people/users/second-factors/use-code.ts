import { AppError, type CommandContext, type Services } from '../../../base/kernel/index.ts';
import { countAccountAttempt } from '../sign-in-limits.ts';
import { hashOfRecoveryCode } from './recovery-codes.ts';
import { findApp, takeRecoveryCode, takeStep } from './second-factors.store.ts';
import { stepOf } from './totp.ts';

/**
 * Counts a code, or the answer of a passkey, of a user like a login, before it is looked at: a code has only a million values.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED above 10 wrong ones per 15 minutes
 */
export const countFactorAttempt = (services: Services, userId: string): Promise<() => Promise<void>> =>
  countAccountAttempt(services, `second factor of ${userId}`);

/**
 * Accepts a code of the user's authenticator app, or a recovery code; neither works a second time.
 *
 * @throws AppError INVALID_CREDENTIALS
 */
export async function requireCode(ctx: CommandContext, userId: string, code: string): Promise<void> {
  if (!(await isAccepted(ctx, userId, code))) throw wrongCode();
}

async function isAccepted({ db, services }: CommandContext, userId: string, given: string): Promise<boolean> {
  const hash = hashOfRecoveryCode(given);
  if (hash) return takeRecoveryCode(db, userId, hash);
  const app = await findApp(db, userId);
  if (!app?.confirmedAt) return false;
  const secret = services.secrets.decrypt(app.secretCipher, 'AuthenticatorApp.secretCipher', app.id);
  const step = stepOf(secret, given.replaceAll(/\s/g, ''), Date.now());
  return step !== null && takeStep(db, app.id, step);
}

export const wrongCode = (): AppError =>
  new AppError('INVALID_CREDENTIALS', 'The code is wrong or was used before', {
    suggestion: 'Enter the code that the app shows now, or a recovery code',
  });
