import type { SignInProviderName } from '../sign-in-providers.ts';

/** Random values that bind a provider's answer to the browser that asked (RFC 6749 state, RFC 7636 PKCE, OpenID Connect nonce). */
export interface FlowChecks {
  state: string;
  codeVerifier: string;
  nonce: string;
}

/** A user as a provider knows them. */
export interface ProviderIdentity {
  /** the provider's identifier */
  issuer: string;
  /** never changes and is never given to another user of the issuer, unlike the address */
  subject: string;
  /** the address, if the provider states that it belongs to the user; null otherwise */
  verifiedEmail: string | null;
}

/** The user or the provider refused, or its answer is invalid. */
export class ProviderError extends Error {
  readonly denied: boolean;

  /** @param denied the user did not agree at the provider */
  constructor(message: string, options: { denied: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'ProviderError';
    this.denied = options.denied;
  }
}

export interface IdentityProvider {
  newChecks(): FlowChecks;
  /** Where the browser is sent. @throws ProviderError when the provider cannot be reached */
  authorizationUrl(checks: FlowChecks): Promise<string>;
  /**
   * The user of the provider's answer.
   *
   * @param query of the callback, such as `?code=…&state=…`
   * @throws ProviderError
   */
  identify(query: string, checks: FlowChecks): Promise<ProviderIdentity>;
}

/** The configured providers, by the names in their paths. */
export type IdentityProviders = Readonly<Partial<Record<SignInProviderName, IdentityProvider>>>;
