import { useSearchParams } from 'react-router';
import { Notice } from '../../../ui/notice.tsx';

/** Why the sign-in by a provider failed: the values of `?error=` (behaviour B4.16). */
const texts: Record<string, string> = {
  access_denied: 'You did not agree to the sign-in. Try again, or choose another way.',
  invalid_state: 'This sign-in was not started in this browser, or took longer than 10 minutes. Try again.',
  provider_failed: 'The sign-in provider did not answer as expected. Try again in a moment.',
  email_not_verified: 'The provider has not verified your email address. Verify it there, then try again.',
  signups_disabled: 'There is no account with your address, and you need an invitation to sign up here.',
  invalid_invitation: 'The invitation is no longer valid, or it is for another address.',
  too_many_attempts: 'Too many attempts. Wait a minute, then try again.',
};

/** Renders nothing unless the browser returned from a failed sign-in. */
export function ProviderFailure() {
  const [search] = useSearchParams();
  const error = search.get('error');
  if (error === null) return null;
  const text = Object.hasOwn(texts, error) ? texts[error] : undefined;
  return (
    <Notice tone="bad" title="You could not be signed in">
      <p>{text ?? 'Try again.'}</p>
    </Notice>
  );
}
