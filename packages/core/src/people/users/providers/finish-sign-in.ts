import type { z } from 'zod';
import {
  AppError,
  ProviderError,
  type RequestInfo,
  type Services,
  systemContext,
} from '../../../base/kernel/index.ts';
import type { loginOutput } from '../second-factors/second-factors.schema.ts';
import { countClientAttempt } from '../sign-in-limits.ts';
import { signInByProvider } from './sign-in-by-provider.ts';
import { SignInRefusal } from './sign-in-refusal.ts';
import { openStartedSignIn } from './started-sign-in.ts';

interface Finish {
  provider: string;
  /** of the callback, such as `?code=…&state=…` */
  query: string;
  /** the cookie of the start */
  cookie: string | null;
  request: RequestInfo;
}

/**
 * Signs in the user of a provider's answer.
 *
 * @returns the user, or the request for their second factor, and the path of the dashboard that the sign-in started from
 * @throws SignInRefusal
 */
export async function finishProviderSignIn(
  services: Services,
  { provider: name, query, cookie, request }: Finish,
): Promise<{ outcome: z.output<typeof loginOutput>; next: string | undefined }> {
  const started = cookie === null ? null : openStartedSignIn(services.secrets, cookie, Date.now());
  const provider = started && services.identityProviders[started.provider];
  if (!provider || started.provider !== name || new URLSearchParams(query).get('state') !== started.state)
    throw new SignInRefusal('invalid_state');
  try {
    await countClientAttempt(services, request.ip);
    const identity = await provider.identify(query, started);
    const ctx = { ...systemContext(services), request };
    const { invitation, next } = started;
    const outcome = await signInByProvider.run(ctx, { provider: started.provider, ...identity, invitation });
    return { outcome, next };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The refusal that an error means to the user; an unexpected error is returned as it is. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ProviderError)
    return new SignInRefusal(error.denied ? 'access_denied' : 'provider_failed', { cause: error });
  if (!(error instanceof AppError)) return error;
  if (error.code === 'RATE_LIMIT_EXCEEDED') return new SignInRefusal('too_many_attempts', { cause: error });
  // The only other refusals of the operation are those of the invitation.
  if (['BAD_REQUEST', 'FORBIDDEN', 'PROJECT_DISABLED'].includes(error.code))
    return new SignInRefusal('invalid_invitation', { cause: error });
  return error;
}
