import { type Configuration, discovery, fetchUserInfo } from 'openid-client';
import { z } from 'zod';
import type { IdentityProvider } from '../../base/kernel/ports/identity-providers.ts';
import type { SignInProvider } from '../../base/kernel/sign-in-providers.ts';
import {
  atProvider,
  authorizationUrl,
  exchangeCode,
  insecureWhenLocal,
  newChecks,
  timeoutSeconds,
} from './code-flow.ts';

const scope = 'openid email';

const emailClaims = z.object({ email: z.string().optional(), email_verified: z.unknown() });

/** Any provider of OpenID Connect, Google included. Its addresses are discovered when they are first needed. */
export function createOidcProvider(
  { issuer, clientId, clientSecret }: SignInProvider,
  redirectUri: string,
): IdentityProvider {
  let discovered: Promise<Configuration> | null = null;
  const configuration = (): Promise<Configuration> => {
    discovered ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: insecureWhenLocal(issuer),
      timeout: timeoutSeconds,
    }).catch((error: unknown) => {
      // The next sign-in tries again.
      discovered = null;
      throw error;
    });
    return discovered;
  };
  return {
    newChecks,
    authorizationUrl: (checks) =>
      atProvider(async () =>
        authorizationUrl(await configuration(), checks, { redirectUri, scope, nonce: checks.nonce }),
      ),
    identify: (query, checks) =>
      atProvider(async () => {
        const config = await configuration();
        const tokens = await exchangeCode(config, { redirectUri, query }, checks, 'oidc');
        const claims = tokens.claims();
        if (!claims) throw new Error('the provider sent no ID token');
        // Some providers put the address into the user info only.
        const source =
          claims['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? await fetchUserInfo(config, tokens.access_token, claims.sub)
            : claims;
        const { email, email_verified } = emailClaims.parse(source);
        return {
          issuer: claims.iss,
          subject: claims.sub,
          verifiedEmail: email_verified === true && email !== undefined ? email : null,
        };
      }),
  };
}
