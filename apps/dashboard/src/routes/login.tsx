import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { CredentialsForm } from '../features/people/auth/credentials-form.tsx';
import { InvitationNotice } from '../features/people/auth/invitation-notice.tsx';
import { ProviderButtons } from '../features/people/auth/provider-buttons.tsx';
import { ProviderFailure } from '../features/people/auth/provider-failure.tsx';
import { SecondFactorForm } from '../features/people/auth/second-factor-form.tsx';
import { paths } from '../lib/paths.ts';
import { login, type PendingLogin } from '../lib/rest.ts';
import { useConfiguration } from '../lib/use-configuration.ts';

export function Component() {
  const { search, hash } = useLocation();
  const configuration = useConfiguration();
  const [pending, setPending] = useState(pendingOf(hash));
  if (pending) {
    return (
      <>
        <title>Log in · Postrider</title>
        <h1>Confirm that it is you</h1>
        <SecondFactorForm login={pending} onCancel={() => setPending(null)} />
      </>
    );
  }
  return (
    <>
      <title>Log in · Postrider</title>
      <h1>Log in</h1>
      <ProviderFailure />
      <InvitationNotice />
      <CredentialsForm enter={login} onPending={setPending} action="Log in" isNew={false} />
      <ProviderButtons />
      <p>
        <Link to={paths.forgotPassword}>Forgot your password?</Link>
      </p>
      {configuration.data?.features.signup.signupsDisabled !== true && (
        <p>
          No account yet? <Link to={paths.signup + search}>Sign up</Link>
        </p>
      )}
    </>
  );
}

/** The login that a sign-in provider has accepted, given in the fragment (behaviour B4.16). */
function pendingOf(hash: string): PendingLogin | null {
  const token = /^#second-factor=([\w-]+)$/.exec(hash)?.[1];
  return token === undefined ? null : { token };
}
