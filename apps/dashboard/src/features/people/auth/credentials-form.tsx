import { textLimits } from '@postrider/core/base/lib/contract';
import { signupInput } from '@postrider/core/people/users/contract';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { failureOf } from '../../../lib/failure.ts';
import type { Credentials, PendingLogin } from '../../../lib/rest.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useEnterDashboard } from './use-enter-dashboard.ts';
import { useInvitation } from './use-invitation.ts';

interface CredentialsFormProps {
  /** @returns a login that waits for the second factor; null once signed in */
  enter: (credentials: Credentials) => Promise<PendingLogin | null>;
  onPending?: (login: PendingLogin) => void;
  action: string;
  /** Whether the password is a new one to choose, or an existing one. */
  isNew: boolean;
}

/** Email address and password; then redirects to the page that was requested. */
export function CredentialsForm({ enter, onPending, action, isNew }: CredentialsFormProps) {
  const enterDashboard = useEnterDashboard();
  const { token, invitation } = useInvitation();
  const [search] = useSearchParams();
  const setupToken = isNew ? search.get('setup') : null;
  const entering = useMutation({
    mutationFn: enter,
    async onSuccess(pending) {
      if (pending) onPending?.(pending);
      else await enterDashboard();
    },
  });
  return (
    <Form
      label={action}
      failure={entering.error ? failureOf(entering.error) : null}
      onSubmit={({ email = '', password = '' }) =>
        entering.mutate({
          email,
          password,
          ...(token !== null && { invitation: token }),
          ...(setupToken !== null && { setupToken }),
        })
      }
    >
      <TextField
        key={invitation?.email ?? ''}
        name="email"
        label="Email"
        type="email"
        autoComplete="email"
        defaultValue={invitation?.email ?? ''}
        required
        autoFocus
      />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        {...(isNew ? { ...textLimits(signupInput, 'password'), hint: 'At least 8 characters.' } : {})}
        required
      />
      <Button kind="primary" type="submit" pending={entering.isPending}>
        {action}
      </Button>
    </Form>
  );
}
