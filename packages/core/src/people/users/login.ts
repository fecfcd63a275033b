import { AppError, command } from '../../base/kernel/index.ts';
import { recordFailedLogin } from '../audit/index.ts';
import { joinByInvitation, requireInvitation } from './invitation.ts';
import { checkPassword, hashPassword } from './password.ts';
import { askForSecondFactor } from './second-factors/pending-login.ts';
import { loginOutput } from './second-factors/second-factors.schema.ts';
import { hasSecondFactor } from './second-factors/second-factors.store.ts';
import { countClientAttempt, countLogin } from './sign-in-limits.ts';
import { loginInput } from './users.schema.ts';
import { findCredentials, upgradeHash } from './users.store.ts';

export const login = command({
  name: 'auth.login',
  summary: 'Signs in with an email address and a password',
  permission: 'public',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'PROJECT_DISABLED', 'RATE_LIMIT_EXCEEDED'],
  input: loginInput,
  output: loginOutput,
  async prepare({ services, request, db }, { email, password }) {
    await countClientAttempt(services, request.ip);
    const forgiveAttempt = await countLogin(services, email, request.ip);
    const user = await findCredentials(db, email);
    const check = await checkPassword(password, user?.passwordHash ?? null);
    if (!check.passed && user) await recordFailedLogin(db, user.id, request);
    if (!check.passed || !user) throw wrongCredentials();
    await forgiveAttempt();
    return { user, newHash: check.outdated ? await hashPassword(password) : null };
  },
  async handler(ctx, { email, invitation: token }, { user, newHash }) {
    const { id } = user;
    if (newHash !== null) await upgradeHash(ctx.db, user, newHash);
    if (await hasSecondFactor(ctx.db, id)) {
      const { tokenVersion } = user;
      return askForSecondFactor(ctx.services.secrets, { userId: id, tokenVersion }, Date.now());
    }
    if (token !== undefined) await joinByInvitation(ctx, await requireInvitation(ctx.db, token, email), id);
    ctx.audit({ targetType: 'user', targetId: id });
    return { id, email };
  },
});

/** One text for an unknown address, a wrong password and an account without a password. */
const wrongCredentials = (): AppError =>
  new AppError('INVALID_CREDENTIALS', 'The email address or the password is wrong', {
    suggestion: 'Check both and try again',
  });
