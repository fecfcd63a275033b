import { useMutation } from '@tanstack/react-query';
import { failureOf } from '../../lib/failure.ts';
import { finishLogin, type PendingLogin } from '../../lib/rest.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { useEnterDashboard } from './use-enter-dashboard.ts';
import { useInvitation } from './use-invitation.ts';

/** The second step of a login. */
export function SecondFactorForm({ login, onCancel }: { login: PendingLogin; onCancel: () => void }) {
  const enterDashboard = useEnterDashboard();
  const { token: invitation } = useInvitation();
  const finishing = useMutation({ mutationFn: finishLogin, onSuccess: enterDashboard });
  return (
    <Form
      label="Second step"
      failure={finishing.error ? failureOf(finishing.error) : null}
      onSubmit={({ code = '' }) =>
        finishing.mutate({ token: login.token, code, ...(invitation !== null && { invitation }) })
      }
    >
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
