import { command } from '../../../base/kernel/index.ts';
import { joinByInvitation, requireInvitation } from '../invitation.ts';
import { countClientAttempt } from '../sign-in-limits.ts';
import { accountOutput } from '../users.schema.ts';
import { findPendingUser } from './pending-user.ts';
import { secondFactorInput } from './second-factors.schema.ts';
import { prepareProof, requireProofGiven } from './use-proof.ts';

export const finishLogin = command({
  name: 'auth.secondFactor',
  summary: 'Completes a login with a code of the authenticator app, a recovery code, or a passkey',
  permission: 'public',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'PROJECT_DISABLED', 'RATE_LIMIT_EXCEEDED'],
  input: secondFactorInput,
  output: accountOutput,
  async prepare(ctx, { token, code, passkey }) {
    requireProofGiven({ code, passkey });
    await countClientAttempt(ctx.services, ctx.request.ip);
    const user = await findPendingUser(ctx, token);
    const purpose = { kind: 'LOGIN_PASSKEY', userId: user.id, boundTo: token } as const;
    return { user, accept: await prepareProof(ctx, purpose, { code, passkey }) };
  },
  async handler(ctx, { invitation: token }, { user: { id, email }, accept }) {
    await accept(ctx);
    if (token !== undefined) await joinByInvitation(ctx, await requireInvitation(ctx.db, token, email), id);
    ctx.audit({ targetType: 'user', targetId: id });
    return { id, email };
  },
});
