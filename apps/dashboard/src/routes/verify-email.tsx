import { useMutation } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { useAccountApi } from '../lib/api.ts';
import { failureOf } from '../lib/failure.ts';
import { paths } from '../lib/paths.ts';
import { Button } from '../ui/button.tsx';
import { FailureNotice, Notice } from '../ui/notice.tsx';

/** Opened from the link in a verification email. Verifying takes a click, because mail scanners follow links. */
export function VerifyEmailRoute() {
  const [search] = useSearchParams();
  const verify = useMutation(useAccountApi().auth.verifyEmail.mutationOptions());
  return (
    <>
      <title>Verify your email address · Postrider</title>
      <h1>Verify your email address</h1>
      {verify.error && <FailureNotice failure={failureOf(verify.error)} />}
      {verify.data ? (
        <>
          <Notice tone="good" title={`${verify.data.email} is verified.`} />
          <p>
            <Link to={paths.home}>Continue to the dashboard</Link>
          </p>
        </>
      ) : (
        <>
          <p>Confirm that this address is yours.</p>
          <Button
            kind="primary"
            pending={verify.isPending}
            onClick={() => verify.mutate({ token: search.get('token') ?? '' })}
          >
            Verify email address
          </Button>
        </>
      )}
    </>
  );
}
