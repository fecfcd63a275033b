import { type Context, sessionIdOf, sha256 } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { type AuthTokenKind, storeToken, takeToken } from '../auth-tokens.store.ts';

/** How long a challenge waits for its answer, as long as a login waits for its second factor. */
export const challengeMs = 5 * 60 * 1000;

/** What a challenge is for: adding a passkey, using one within a session, or completing a login. */
export interface ChallengePurpose {
  kind: Extract<AuthTokenKind, 'ADD_PASSKEY' | 'USE_PASSKEY' | 'LOGIN_PASSKEY'>;
  userId: string;
  /** the session, or the token of the login, that the challenge belongs to */
  boundTo: string;
}

/** The purpose of a challenge within the session of the request. */
export const inSession = (
  ctx: Context,
  kind: 'ADD_PASSKEY' | 'USE_PASSKEY',
  userId: string,
): ChallengePurpose => ({ kind, userId, boundTo: sessionIdOf(ctx) ?? '' });

const hashOf = ({ boundTo }: ChallengePurpose, challenge: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(sha256(JSON.stringify([boundTo, challenge])));

/** Stores a challenge; it replaces an earlier one of the same user and kind. */
export const storeChallenge = (
  { db }: Pick<Context, 'db'>,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<void> =>
  storeToken(db, newId(), {
    userId: purpose.userId,
    kind: purpose.kind,
    hash: hashOf(purpose, challenge),
    expiresAt: new Date(Date.now() + challengeMs),
  });

/**
 * Consumes a challenge. To be called outside the transaction of the request, so that an answer that is refused later consumes it too.
 *
 * @returns whether it was made for this purpose, and was neither used nor expired
 */
export const takeChallenge = async (
  { db }: Pick<Context, 'db'>,
  purpose: ChallengePurpose,
  challenge: string,
): Promise<boolean> => (await takeToken(db, purpose.kind, hashOf(purpose, challenge))) === purpose.userId;
