import type { CoreConfig } from '../../base/kernel/config.ts';
import type { IdentityProviders } from '../../base/kernel/ports/identity-providers.ts';
import { createGithubProvider } from './github-provider.ts';
import { createOidcProvider } from './oidc-provider.ts';

/** Clients of the configured providers of sign-in. Nothing is requested before the first use. */
export function createIdentityProviders({
  API_URL,
  signInProviders: { github, google, oidc },
}: Pick<CoreConfig, 'API_URL' | 'signInProviders'>): IdentityProviders {
  const callback = (name: string): string => `${API_URL}/auth/oauth/${name}/callback`;
  return {
    ...(github && { github: createGithubProvider(github, callback('github')) }),
    ...(google && { google: createOidcProvider(google, callback('google')) }),
    ...(oidc && { oidc: createOidcProvider(oidc, callback('oidc')) }),
  };
}
