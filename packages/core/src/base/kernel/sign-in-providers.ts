/** Providers that users can sign in with besides a password (behaviour B4.16); `oidc` is the one of a self-hosted installation. */
export const signInProviderNames = ['github', 'google', 'oidc'] as const;

export type SignInProviderName = (typeof signInProviderNames)[number];

export interface SignInProvider {
  /** the provider's identifier, and the base of its addresses: found by discovery, or of GitHub by their fixed paths */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** base of GitHub's REST API; the others name their users in an ID token */
  apiUrl?: string;
}

/** The configured providers. */
export type SignInProviders = Readonly<Partial<Record<SignInProviderName, SignInProvider>>>;

/** GitHub names this issuer in its answers (RFC 9207). */
const github = { issuer: 'https://github.com/login/oauth', apiUrl: 'https://api.github.com' };
const google = { issuer: 'https://accounts.google.com' };

export function signInProvidersOf(env: {
  GITHUB_CLIENT_ID?: string | undefined;
  GITHUB_CLIENT_SECRET?: string | undefined;
  GOOGLE_CLIENT_ID?: string | undefined;
  GOOGLE_CLIENT_SECRET?: string | undefined;
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
}): SignInProviders {
  const client = (clientId: string | undefined, clientSecret: string | undefined) =>
    clientId !== undefined && clientSecret !== undefined ? { clientId, clientSecret } : null;
  const [ofGithub, ofGoogle, ofOidc] = [
    client(env.GITHUB_CLIENT_ID, env.GITHUB_CLIENT_SECRET),
    client(env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET),
    client(env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET),
  ];
  return {
    ...(ofGithub && { github: { ...github, ...ofGithub } }),
    ...(ofGoogle && { google: { ...google, ...ofGoogle } }),
    ...(ofOidc && env.OIDC_ISSUER !== undefined && { oidc: { issuer: env.OIDC_ISSUER, ...ofOidc } }),
  };
}
