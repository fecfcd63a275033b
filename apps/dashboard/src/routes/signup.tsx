import { Link, useLocation } from 'react-router';
import { CredentialsForm } from '../features/people/auth/credentials-form.tsx';
import { InvitationNotice } from '../features/people/auth/invitation-notice.tsx';
import { ProviderButtons } from '../features/people/auth/provider-buttons.tsx';
import { paths } from '../lib/paths.ts';
import { signup } from '../lib/rest.ts';
import { useConfiguration } from '../lib/use-configuration.ts';
import { Notice } from '../ui/notice.tsx';

export function Component() {
  const { search } = useLocation();
  const configuration = useConfiguration();
  return (
    <>
      <title>Sign up · Postrider</title>
      <h1>Create your account</h1>
      <InvitationNotice />
      {configuration.data?.features.signup.signupsDisabled && !/[?&](invitation|setup)=/.test(search) && (
        <Notice tone="warn" title="You need an invitation to sign up on this installation." />
      )}
      <CredentialsForm enter={signup} action="Sign up" isNew />
      <ProviderButtons />
      <p>
        Already have an account? <Link to={paths.login + search}>Log in</Link>
      </p>
    </>
  );
}
