import { type CommandContext, type Context, invalid, userIdOf } from '../../../base/kernel/index.ts';
import { type ChallengePurpose, inSession, takeChallenge } from './challenges.ts';
import type { PasskeyAnswer, Proof } from './passkeys.schema.ts';
import { findPasskey, takeCounter } from './passkeys.store.ts';
import { countFactorAttempt, requireCode, wrongCode } from './use-code.ts';
import { challengeOf, verifyUse } from './webauthn.ts';

/** Accepts the second factor in the transaction of the request. @throws AppError INVALID_CREDENTIALS */
export type AcceptProof = (ctx: CommandContext) => Promise<void>;

/** @throws AppError VALIDATION_ERROR when a request carries neither a code nor the answer of a passkey */
export function requireProofGiven({ code, passkey }: Proof): void {
  if (code === undefined && passkey === undefined)
    throw invalid([{ field: 'code', code: 'required', message: 'Required, unless `passkey` is given' }]);
}

/**
 * Checks the second factor of a request before its transaction: the attempt is counted, and the challenge of a passkey consumed, also if
 * the factor is refused.
 *
 * @throws AppError VALIDATION_ERROR, INVALID_CREDENTIALS, RATE_LIMIT_EXCEEDED
 */
export async function prepareProof(
  ctx: Context,
  purpose: ChallengePurpose,
  proof: Proof,
): Promise<AcceptProof> {
  requireProofGiven(proof);
  const { userId } = purpose;
  const forgiveAttempt = await countFactorAttempt(ctx.services, userId);
  const { code = '', passkey } = proof;
  const accept = passkey
    ? await prepareAnswer(ctx, purpose, passkey)
    : (command: CommandContext) => requireCode(command, userId, code);
  return async (command) => {
    await accept(command);
    command.afterCommit(forgiveAttempt);
  };
}

/** The same for a change of the signed-in user's account. */
export const prepareOwnProof = (ctx: Context, proof: Proof): Promise<AcceptProof> =>
  prepareProof(ctx, inSession(ctx, 'USE_PASSKEY', userIdOf(ctx)), proof);

async function prepareAnswer(
  ctx: Context,
  purpose: ChallengePurpose,
  answer: PasskeyAnswer,
): Promise<AcceptProof> {
  const challenge = await challengeOf(answer.response.clientDataJSON);
  if (challenge === null || !(await takeChallenge(ctx, purpose, challenge))) throw wrongCode();
  const passkey = await findPasskey(ctx.db, purpose.userId, answer.id);
  const counter = passkey && (await verifyUse(ctx.services, passkey, answer, challenge));
  if (passkey === null || counter === null) throw wrongCode();
  return async ({ db }) => {
    if (!(await takeCounter(db, passkey.id, counter))) throw wrongCode();
  };
}
