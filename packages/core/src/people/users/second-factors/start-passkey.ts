import { AppError, command, emptyObject, userIdOf } from '../../../base/kernel/index.ts';
import { countChallenge } from '../sign-in-limits.ts';
import { findUser } from '../users.store.ts';
import { inSession, storeChallenge } from './challenges.ts';
import { creationOptionsOutput } from './passkeys.schema.ts';
import { findPasskeys } from './passkeys.store.ts';
import { creationOptions } from './webauthn.ts';

export const startPasskey = command({
  name: 'auth.startPasskey',
  summary: 'Returns the options for the browser to make a passkey',
  permission: 'self',
  risk: 'closed',
  errors: ['RATE_LIMIT_EXCEEDED'],
  input: emptyObject,
  output: creationOptionsOutput,
  prepare: (ctx) => countChallenge(ctx.services, userIdOf(ctx)),
  async handler(ctx) {
    const user = await findUser(ctx.db, userIdOf(ctx));
    if (!user) throw new AppError('UNAUTHORIZED', 'This account no longer exists');
    const options = await creationOptions(ctx.services.config, user, await findPasskeys(ctx.db, user.id));
    await storeChallenge(ctx, inSession(ctx, 'ADD_PASSKEY', user.id), options.challenge);
    return { options: { ...options } };
  },
});
