import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { UnprovenAccount } from '../features/people/auth/unproven-account.tsx';
import { useAccountApi } from '../lib/api.ts';
import { failureOf } from '../lib/failure.ts';
import { paths } from '../lib/paths.ts';
import { shownAddress } from '../lib/shown-address.rules.ts';
import { Button } from '../ui/button.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';

/** Opened from the link in a verification email. Verifying takes a click, because mail scanners follow links. */
export function Component() {
  const [search] = useSearchParams();
  const queryClient = useQueryClient();
  const token = search.get('token') ?? '';
  const verify = useMutation(
    useAccountApi().auth.verifyEmail.mutationOptions({ onSuccess: () => queryClient.invalidateQueries() }),
  );
  const failure = verify.error ? failureOf(verify.error) : null;
  // The browser is not signed in to the account: the link alone does not tell whose the account is.
  const isStranger = failure?.code === 'FORBIDDEN' || verify.variables?.password !== undefined;
  const isReset = verify.variables?.newPassword !== undefined;
  return (
    <>
      <title>Verify your email address · Postrider</title>
      <h1>Verify your email address</h1>
      {verify.data ? (
        <>
          <Notice tone="good" title={`${shownAddress(verify.data.email)} is verified.`}>
            {isReset && (
              <p>
                Your new password is set. All sessions were ended, and the API keys of the projects of this
                account were replaced.
              </p>
            )}
          </Notice>
          <p>
            <Link to={isReset ? paths.login : paths.home}>
              {isReset ? 'Log in' : 'Continue to the dashboard'}
            </Link>
          </p>
        </>
      ) : isStranger || isReset ? (
        <UnprovenAccount
          failure={failure?.code === 'FORBIDDEN' ? null : failure}
          pending={verify.isPending}
          onProof={(proof) => verify.mutate({ token, ...proof })}
        />
      ) : (
        <>
          {failure && <FailureNotice failure={failure} />}
          <p>Confirm that this address is yours.</p>
          <Button kind="primary" pending={verify.isPending} onClick={() => verify.mutate({ token })}>
            Verify email address
          </Button>
        </>
      )}
    </>
  );
}
