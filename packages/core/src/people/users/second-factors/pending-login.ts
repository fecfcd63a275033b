import { z } from 'zod';
import type { Secrets } from '../../../base/kernel/index.ts';

/** How long a login waits for its second factor. */
const lifetimeMs = 5 * 60 * 1000;

const pendingLogin = z.object({
  kind: z.literal('second factor'),
  userId: z.string(),
  /** of the user: a change of the password ends the login */
  tokenVersion: z.number(),
  /** milliseconds since 1970 */
  expiresAt: z.number(),
});

/** A login whose password, or provider, has been accepted. */
export type PendingLogin = Pick<z.output<typeof pendingLogin>, 'userId' | 'tokenVersion'>;

/** The reply to a login that asks for the second factor. */
export function askForSecondFactor(secrets: Secrets, login: PendingLogin, now: number) {
  const expiresAt = now + lifetimeMs;
  const payload = JSON.stringify({ kind: 'second factor', ...login, expiresAt });
  return {
    secondFactor: { token: secrets.sign('session', Buffer.from(payload)), expiresAt: new Date(expiresAt) },
  };
}

/** The login of a token; null when that was not made here, was changed, or has expired. */
export function openPendingLogin(secrets: Secrets, token: string, now: number): PendingLogin | null {
  const payload = secrets.verify('session', token);
  if (!payload) return null;
  const parsed = pendingLogin.safeParse(JSON.parse(payload.toString()));
  return parsed.success && parsed.data.expiresAt > now ? parsed.data : null;
}
