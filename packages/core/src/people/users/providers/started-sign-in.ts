import { z } from 'zod';
import { type Secrets, signInProviderNames } from '../../../base/kernel/index.ts';

/** The cookie that binds a provider's answer to the browser that asked. */
export const startedSignInCookie = 'postrider_sign_in';
/** How long the user may take at the provider. */
export const startedSignInSeconds = 10 * 60;

const startedSignIn = z.object({
  kind: z.literal('provider'),
  provider: z.enum(signInProviderNames),
  state: z.string(),
  codeVerifier: z.string(),
  nonce: z.string(),
  /** token of an invitation to accept */
  invitation: z.string().optional(),
  /** path of the dashboard to open afterwards */
  next: z.string().optional(),
  /** milliseconds since 1970 */
  expiresAt: z.number(),
});

/** A sign-in that waits for the answer of its provider. */
export type StartedSignIn = Omit<z.output<typeof startedSignIn>, 'kind' | 'expiresAt'>;

export const sealStartedSignIn = (secrets: Secrets, started: StartedSignIn, now: number): string =>
  secrets.sign(
    'session',
    Buffer.from(
      JSON.stringify({ kind: 'provider', ...started, expiresAt: now + startedSignInSeconds * 1000 }),
    ),
  );

/** The sign-in of a cookie; null when that was not made here, was changed, or has expired. */
export function openStartedSignIn(secrets: Secrets, cookie: string, now: number): StartedSignIn | null {
  const payload = secrets.verify('session', cookie);
  if (!payload) return null;
  const parsed = startedSignIn.safeParse(JSON.parse(payload.toString()));
  return parsed.success && parsed.data.expiresAt > now ? parsed.data : null;
}
