import { useMutation, useQuery } from '@tanstack/react-query';
import { failureOf } from '../../../lib/failure.ts';
import { answerWithPasskey } from '../../../lib/passkeys.ts';
import { challengeLogin, finishLogin, type PendingLogin } from '../../../lib/rest.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { useEnterDashboard } from './use-enter-dashboard.ts';
import { useInvitation } from './use-invitation.ts';

/** The second step of a login. */
export function SecondFactorForm({
  login: { token },
  onCancel,
  onEntered,
}: {
  login: PendingLogin;
  onCancel: () => void;
  /** What follows the login; otherwise the page that was requested is opened. */
  onEntered?: () => Promise<void>;
}) {
  const openPage = useEnterDashboard();
  const enterDashboard = onEntered ?? openPage;
  const { token: invitation } = useInvitation();
  const step = { token, ...(invitation !== null && { invitation }) };
  const finishing = useMutation({ mutationFn: finishLogin, onSuccess: enterDashboard });
  const known = useQuery({
    queryKey: ['passkey of login', token],
    queryFn: async () => (await challengeLogin(token)) !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const passkeyLogin = useMutation({
    // Each attempt needs a challenge of its own.
    mutationFn: async () =>
      finishLogin({ ...step, passkey: await answerWithPasskey(await challengeLogin(token)) }),
    onSuccess: enterDashboard,
  });
  const error = passkeyLogin.error ?? finishing.error;
  return (
    <Form
      label="Second step"
      failure={error ? failureOf(error) : null}
      onSubmit={({ code = '' }) => {
        passkeyLogin.reset();
        finishing.mutate({ ...step, code });
      }}
    >
      {known.data === true && (
        <FormActions>
          <Button pending={passkeyLogin.isPending} onClick={() => passkeyLogin.mutate()}>
            Use a passkey
          </Button>
        </FormActions>
      )}
      <TextField
        name="code"
        label="Code"
        inputMode="text"
        autoComplete="one-time-code"
        hint="The six digits that your authenticator app shows, or a recovery code."
        required
        autoFocus
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={finishing.isPending}>
          Log in
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Back
        </Button>
      </FormActions>
    </Form>
  );
}
