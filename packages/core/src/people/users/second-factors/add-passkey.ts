import {
  badRequest,
  type Context,
  command,
  conflict,
  suggestions,
  userIdOf,
} from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { inSession, takeChallenge } from './challenges.ts';
import { issueRecoveryCodes } from './issue-recovery-codes.ts';
import { addedPasskeyOutput, addPasskeyInput, type NewCredential } from './passkeys.schema.ts';
import { findPasskeys, insertPasskey } from './passkeys.store.ts';
import { presentPasskey } from './present-passkey.ts';
import { requireOwnPassword } from './require-own-password.ts';
import { dropUnconfirmedApp, hasSecondFactor, lockFactors } from './second-factors.store.ts';
import { prepareOwnProof } from './use-proof.ts';
import { challengeOf, verifyCreation } from './webauthn.ts';

/** More than anyone needs, and few enough for every list of them. */
const mostPasskeys = 20;

export const addPasskey = command({
  name: 'auth.addPasskey',
  summary: 'Adds a passkey to the account; an account with a second factor has to prove one',
  permission: 'self',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'INVALID_CREDENTIALS', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  input: addPasskeyInput,
  output: addedPasskeyOutput,
  async prepare(ctx, { credential, code, passkey, password }) {
    const isProtected = await hasSecondFactor(ctx.db, userIdOf(ctx));
    const accept = isProtected ? await prepareOwnProof(ctx, { code, passkey }) : null;
    if (!isProtected) await requireOwnPassword(ctx, password);
    return { accept, made: await verified(ctx, credential) };
  },
  async handler(ctx, { name, credential }, { accept, made }) {
    const userId = userIdOf(ctx);
    await lockFactors(ctx.db, userId);
    const isFirst = !(await hasSecondFactor(ctx.db, userId));
    if (accept) await accept(ctx);
    else if (!isFirst)
      throw conflict('A second factor was added at the same time', {
        suggestion: suggestions.CONFLICT.secondFactorJustAdded,
      });
    if ((await findPasskeys(ctx.db, userId)).length >= mostPasskeys)
      throw conflict(`An account has at most ${mostPasskeys} passkeys`, {
        suggestion: suggestions.CONFLICT.mostPasskeys,
      });
    const row = await insertPasskey(ctx.db, {
      id: newId(),
      userId,
      credentialId: made.id,
      publicKey: made.publicKey,
      counter: BigInt(made.counter),
      transports: credential.response.transports ?? [],
      name,
    });
    if (!row)
      throw conflict('This passkey has been added already', {
        suggestion: suggestions.CONFLICT.passkeyKnown,
      });
    // One that was added before the account was protected must not become a factor without a proof.
    await dropUnconfirmedApp(ctx.db, userId);
    ctx.audit({ targetType: 'user', targetId: userId, changed: ['passkeys'] });
    return {
      passkey: presentPasskey(row),
      recoveryCodes: isFirst ? await issueRecoveryCodes(ctx.db, userId) : null,
    };
  },
});

async function verified(ctx: Context, credential: NewCredential) {
  const challenge = await challengeOf(credential.response.clientDataJSON);
  const purpose = inSession(ctx, 'ADD_PASSKEY', userIdOf(ctx));
  const isExpected = challenge !== null && (await takeChallenge(ctx, purpose, challenge));
  const made = isExpected ? await verifyCreation(ctx.services, credential, challenge) : null;
  if (made) return made;
  throw badRequest('The passkey was not made for this session, or took too long', {
    suggestion: 'Start again',
  });
}
