import { AppError, command } from '../../kernel/index.ts';
import { joinByInvitation, requireInvitation } from '../invitation.ts';
import { countClientAttempt } from '../sign-in-limits.ts';
import { accountOutput } from '../users.schema.ts';
import { findCredentialsById } from '../users.store.ts';
import { openPendingLogin } from './pending-login.ts';
import { secondFactorInput } from './second-factors.schema.ts';
import { countCodeAttempt, requireCode } from './use-code.ts';

export const finishLogin = command({
  name: 'auth.secondFactor',
  summary: 'Completes a login with a code of the authenticator app, or a recovery code',
  permission: 'public',
  errors: ['BAD_REQUEST', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  input: secondFactorInput,
  output: accountOutput,
  async prepare({ services, request, db }, { token }) {
    await countClientAttempt(services, request.ip);
    const pending = openPendingLogin(services.secrets, token, Date.now());
    const user = pending && (await findCredentialsById(db, pending.userId));
    if (!user || user.tokenVersion !== pending.tokenVersion) throw loginExpired();
    return { user, forgiveAttempt: await countCodeAttempt(services, user.id) };
  },
  async handler(ctx, { code, invitation: token }, { user: { id, email }, forgiveAttempt }) {
    await requireCode(ctx, id, code);
    if (token !== undefined)
      await joinByInvitation(ctx.db, await requireInvitation(ctx.db, token, email), id);
    ctx.afterCommit(forgiveAttempt);
    ctx.audit({ targetType: 'user', targetId: id });
    return { id, email };
  },
});

const loginExpired = (): AppError =>
  new AppError('INVALID_CREDENTIALS', 'This login has expired', { suggestion: 'Log in again' });
