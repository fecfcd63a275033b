/** Why a sign-in by a provider failed; the login page is opened with it as `?error=` (behaviour B4.16). */
export type SignInRefusalReason =
  /** the user did not agree at the provider */
  | 'access_denied'
  /** the answer does not belong to a sign-in that this browser started in the last 10 minutes */
  | 'invalid_state'
  /** the provider could not be reached, or refused the code */
  | 'provider_failed'
  /** the provider does not confirm an address */
  | 'email_not_verified'
  | 'signups_disabled'
  /** the invitation is invalid, or for another address */
  | 'invalid_invitation'
  | 'too_many_attempts';

export class SignInRefusal extends Error {
  readonly reason: SignInRefusalReason;

  constructor(reason: SignInRefusalReason, options: { cause?: unknown } = {}) {
    super(`sign-in refused: ${reason}`, options);
    this.name = 'SignInRefusal';
    this.reason = reason;
  }
}
