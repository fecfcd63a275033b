import { type Context, command, emptyObject, userIdOf } from '../../../base/kernel/index.ts';
import { countChallenge } from '../sign-in-limits.ts';
import { type ChallengePurpose, inSession, storeChallenge } from './challenges.ts';
import { requestOptionsOutput } from './passkeys.schema.ts';
import { findPasskeys } from './passkeys.store.ts';
import { findPendingUser } from './pending-user.ts';
import { pendingLoginInput } from './second-factors.schema.ts';
import { requestOptions } from './webauthn.ts';

export const challengePasskey = command({
  name: 'auth.challengePasskey',
  summary: 'Returns a challenge for a passkey of the account, to change its second factors',
  permission: 'self',
  risk: 'closed',
  errors: ['RATE_LIMIT_EXCEEDED'],
  input: emptyObject,
  output: requestOptionsOutput,
  prepare: (ctx) => countChallenge(ctx.services, userIdOf(ctx)),
  handler: (ctx) => challenge(ctx, inSession(ctx, 'USE_PASSKEY', userIdOf(ctx))),
});

export const challengeLogin = command({
  name: 'auth.challengeLogin',
  summary: 'Returns a challenge for a passkey, to complete a login',
  permission: 'public',
  risk: 'closed',
  errors: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  input: pendingLoginInput,
  output: requestOptionsOutput,
  async prepare(ctx, { token }) {
    const { id } = await findPendingUser(ctx, token);
    await countChallenge(ctx.services, id);
    return id;
  },
  handler: (ctx, { token }, userId) => challenge(ctx, { kind: 'LOGIN_PASSKEY', userId, boundTo: token }),
});

async function challenge(ctx: Context, purpose: ChallengePurpose) {
  const passkeys = await findPasskeys(ctx.db, purpose.userId);
  if (passkeys.length === 0) return { options: null };
  const options = await requestOptions(ctx.services.config, passkeys);
  await storeChallenge(ctx, purpose, options.challenge);
  return { options: { ...options } };
}
