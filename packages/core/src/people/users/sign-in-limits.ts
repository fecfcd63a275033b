import type { Database } from '../../base/db/index.ts';
import { AppError, type Services, sha256 } from '../../base/kernel/index.ts';
import { clientNetwork } from '../../base/lib/index.ts';
import { type AttemptWindow, giveBackAttempt, raiseAttempts } from './attempts.store.ts';
import { addressesOfSessions } from './sessions.store.ts';

/** Behaviour B4.16: login, sign-up and reset requests together. */
const perClient = { limit: 10, windowSeconds: 60 };
/** Behaviour B4.16: failed logins. */
const perAccount = { limit: 10, windowSeconds: 15 * 60 };

/** Challenges for passkeys are limited because each one writes a row. */
const perChallenger = { limit: 60, windowSeconds: 15 * 60 };

/** Behaviour B4.16: verification, reset and deletion emails to one address. */
const perMailbox = { limit: 3, windowSeconds: 60 * 60 };

const clientKey = (ip: string): string => `client:${clientNetwork(ip)}`;

/** Addresses are counted by their hashes: people may have no account, or delete it. */
export const addressKey = (email: string): string => sha256(email).toString('base64url');
const accountKey = (email: string): string => `account:${addressKey(email)}`;

/** Counts a sign-in request of a client address. @throws AppError RATE_LIMIT_EXCEEDED above 10 per minute */
export async function countClientAttempt(services: Services, ip: string | null): Promise<void> {
  if (ip === null) return;
  const window = await raiseAttempts(services.database, clientKey(ip), perClient.windowSeconds);
  if (window.count > perClient.limit) throw tooMany(window);
}

/** Counts a challenge for a passkey of a user. @throws AppError RATE_LIMIT_EXCEEDED above 60 per 15 minutes */
export async function countChallenge(services: Services, userId: string): Promise<void> {
  const window = await raiseAttempts(services.database, `challenge:${userId}`, perChallenger.windowSeconds);
  if (window.count > perChallenger.limit) throw tooMany(window);
}

/** Counts an email of that kind to an address, against 3 per hour. */
export function countMail(services: Services, kind: 'verification' | 'reset' | 'deletion', email: string) {
  const count = () =>
    raiseAttempts(services.database, `${kind}:${addressKey(email)}`, perMailbox.windowSeconds);
  return {
    isWithinLimit: async (): Promise<boolean> => (await count()).count <= perMailbox.limit,
    /** @throws AppError RATE_LIMIT_EXCEEDED */
    async orThrow(): Promise<void> {
      const window = await count();
      if (window.count > perMailbox.limit) throw tooMany(window);
    },
  };
}

/** Behaviour B4.16: emails of the platform to one address, of all kinds and projects together. */
const perAddress = { limit: 20, windowSeconds: 24 * 60 * 60 };

/** Counts an email of the platform. @returns whether the address has got at most 20 within a day, this one included */
export async function countPlatformMail(
  { database }: Pick<Services, 'database'>,
  email: string,
): Promise<boolean> {
  const key = `mail:${addressKey(email)}`;
  const { count } = await raiseAttempts(database, key, perAddress.windowSeconds);
  return count <= perAddress.limit;
}

/**
 * Counts a login as failed before the password is checked, so that concurrent attempts cannot exceed the limit. The
 * returned function removes the count after a successful login.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED above 10 failures per 15 minutes, for unknown addresses too
 */
export async function countAccountAttempt(services: Services, email: string): Promise<() => Promise<void>> {
  const key = accountKey(email);
  const window = await raiseAttempts(services.database, key, perAccount.windowSeconds);
  if (window.count > perAccount.limit) throw tooMany(window);
  return () => giveBackAttempt(services.database, key);
}

/**
 * The same for a login. Strangers can use up the limit of an account, so a network with an open session of the account has a limit of
 * its own (behaviour B4.16): its people can still log in, and guesses from there stay bounded.
 *
 * @throws AppError RATE_LIMIT_EXCEEDED
 */
export async function countLogin(
  services: Services,
  email: string,
  ip: string | null,
): Promise<() => Promise<void>> {
  const { database } = services;
  const keys = [accountKey(email), ...(ip === null ? [] : [`${accountKey(email)} ${clientNetwork(ip)}`])];
  const [ofAccount, ofNetwork] = await Promise.all(
    keys.map((key) => raiseAttempts(database, key, perAccount.windowSeconds)),
  );
  if (ofAccount && ofAccount.count > perAccount.limit) {
    const isWithin = ofNetwork !== undefined && ofNetwork.count <= perAccount.limit;
    if (ip === null || !isWithin || !(await isKnownNetwork(database, email, ip))) throw tooMany(ofAccount);
  }
  return async () => {
    await Promise.all(keys.map((key) => giveBackAttempt(database, key)));
  };
}

async function isKnownNetwork(database: Database, email: string, ip: string): Promise<boolean> {
  const network = clientNetwork(ip);
  const known = await addressesOfSessions(database, email, new Date());
  return known.some((address) => clientNetwork(address) === network);
}

/** The error when the attempts of a window are used up. */
export const tooMany = ({ resetSeconds }: AttemptWindow, message = 'Too many attempts'): AppError =>
  new AppError('RATE_LIMIT_EXCEEDED', message, {
    details: { retryAfter: resetSeconds },
    suggestion: `Try again in ${resetSeconds} seconds`,
  });
