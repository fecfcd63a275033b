import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useAccountApi } from '../lib/api.ts';
import { failureOf } from '../lib/failure.ts';
import { paths } from '../lib/paths.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';

export function Component() {
  const request = useMutation(useAccountApi().auth.requestPasswordReset.mutationOptions());
  return (
    <>
      <title>Reset your password · Postrider</title>
      <h1>Reset your password</h1>
      {request.isSuccess ? (
        <Notice tone="good" title="Check your inbox">
          <p>
            If {request.variables.email} has an account, we sent it a link to set a new password. The link is
            valid for one hour.
          </p>
        </Notice>
      ) : (
        <Form
          label="Reset your password"
          failure={request.error ? failureOf(request.error) : null}
          onSubmit={({ email = '' }) => request.mutate({ email })}
        >
          <TextField name="email" label="Email" type="email" autoComplete="email" required autoFocus />
          <Button kind="primary" type="submit" pending={request.isPending}>
            Send reset link
          </Button>
        </Form>
      )}
      <p>
        <Link to={paths.login}>Back to log in</Link>
      </p>
    </>
  );
}
