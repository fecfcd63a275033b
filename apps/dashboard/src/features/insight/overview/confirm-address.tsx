import { useMutation } from '@tanstack/react-query';
import { useAccountApi } from '../../../lib/api.ts';
import { useUser } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { FailureNotice } from '../../../ui/notice.tsx';

/** Has the link sent that proves the address of the user, on which the sandbox of the project depends. */
export function ConfirmAddress({ action, done }: { action: string; done: boolean }) {
  const { email } = useUser();
  const request = useMutation(useAccountApi().auth.requestVerification.mutationOptions());
  if (done) return <p>{email} is confirmed.</p>;
  return (
    <>
      {request.error && <FailureNotice failure={failureOf(request.error)} />}
      {request.isSuccess ? (
        <p role="status">The link is on its way to {email}. It is valid for 24 hours.</p>
      ) : (
        <Button kind="primary" icon="mail" pending={request.isPending} onClick={() => request.mutate({})}>
          {action}
        </Button>
      )}
    </>
  );
}
