import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { isLoopback } from '../../base/kernel/config-values.ts';
import { type FlowChecks, ProviderError } from '../../base/kernel/ports/identity-providers.ts';

/** The longest wait for a provider, in seconds. */
export const timeoutSeconds = 10;

export const newChecks = (): FlowChecks => ({
  state: randomState(),
  codeVerifier: randomPKCECodeVerifier(),
  nonce: randomNonce(),
});

/** Only a provider on this machine may be asked without TLS. */
export const insecureWhenLocal = (issuer: string): ((config: Configuration) => void)[] =>
  isLoopback(new URL(issuer).hostname) ? [allowInsecureRequests] : [];

interface Authorization {
  redirectUri: string;
  scope: string;
  /** OpenID Connect: bound to the ID token */
  nonce?: string;
}

/** The address of the provider's page where the user agrees. */
export async function authorizationUrl(
  config: Configuration,
  { state, codeVerifier }: FlowChecks,
  { redirectUri, scope, nonce }: Authorization,
): Promise<string> {
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
  });
  return url.href;
}

/** Exchanges the code of the callback for tokens; state, PKCE and, where given, the nonce are checked. */
export function exchangeCode(
  config: Configuration,
  { redirectUri, query }: { redirectUri: string; query: string },
  { state, codeVerifier, nonce }: FlowChecks,
  kind: 'oauth' | 'oidc',
) {
  const callback = new URL(redirectUri);
  callback.search = query;
  return authorizationCodeGrant(config, callback, {
    expectedState: state,
    pkceCodeVerifier: codeVerifier,
    ...(kind === 'oidc' ? { expectedNonce: nonce, idTokenExpected: true } : {}),
  });
}

/** Runs a step at the provider. @throws ProviderError for whatever goes wrong there */
export async function atProvider<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const denied = error instanceof AuthorizationResponseError && error.error === 'access_denied';
    throw new ProviderError(error instanceof Error ? error.message : String(error), { denied, cause: error });
  }
}
