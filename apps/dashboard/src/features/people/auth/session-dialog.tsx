import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { useUser } from '../../../lib/current.ts';
import { paths } from '../../../lib/paths.ts';
import { login, type PendingLogin } from '../../../lib/rest.ts';
import { renewSession } from '../../../lib/session-end.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

/** Asks to log in again over the page, so that what was typed into it stays. */
export function SessionDialog() {
  const user = useUser();
  const [pending, setPending] = useState<PendingLogin | null>(null);
  const goOn = useGoOn();
  return (
    // Without a session nothing on the page works, so the dialog stays open.
    <Dialog title="Your session has ended" onClose={() => undefined}>
      <p>Log in again to continue. This page stays as it is.</p>
      {pending ? (
        <SecondFactorForm login={pending} onCancel={() => setPending(null)} onEntered={goOn} />
      ) : user.type === 'PASSWORD' ? (
        <PasswordForm email={user.email} onPending={setPending} onEntered={goOn} />
      ) : (
        <FormActions>
          <a href={paths.login} target="_blank" rel="noreferrer">
            Log in in a new tab
          </a>
        </FormActions>
      )}
      <p>
        <a href={paths.login}>Log in as another user</a>
      </p>
    </Dialog>
  );
}

interface PasswordFormProps {
  email: string;
  onPending: (login: PendingLogin) => void;
  onEntered: () => Promise<void>;
}

function PasswordForm({ email, onPending, onEntered }: PasswordFormProps) {
  const entering = useMutation({
    mutationFn: login,
    async onSuccess(pending) {
      if (pending) onPending(pending);
      else await onEntered();
    },
  });
  return (
    <Form
      label="Log in"
      failure={useFailure(entering.error)}
      onSubmit={({ password = '' }) => entering.mutate({ email, password })}
    >
      <TextField name="email" label="Email" type="email" autoComplete="username" value={email} readOnly />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        autoFocus
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={entering.isPending}>
          Log in
        </Button>
      </FormActions>
    </Form>
  );
}

/** Continues on the page after a login, here or in another tab. Another user gets a page of their own. */
function useGoOn(): () => Promise<void> {
  const { id } = useUser();
  const me = useAccountApi().users.me;
  const queryClient = useQueryClient();
  const goOn = async () => {
    const user = await queryClient.fetchQuery({ ...me.queryOptions({}), staleTime: 0, retry: false });
    if (user.id !== id) {
      window.location.assign(paths.home);
      return;
    }
    renewSession();
    await queryClient.invalidateQueries();
  };
  useEffect(() => {
    const check = () => {
      // A refusal means that the session has not begun yet; the dialog stays.
      goOn().catch(() => undefined);
    };
    window.addEventListener('focus', check);
    return () => window.removeEventListener('focus', check);
  });
  return goOn;
}
