import { textLimits } from '@postrider/core/base/lib/contract';
import { resetPasswordInput } from '@postrider/core/people/users/contract';
import { useMutation } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { useAccountApi } from '../lib/api.ts';
import { failureOf } from '../lib/failure.ts';
import { paths } from '../lib/paths.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Notice } from '../ui/notice.tsx';

/** Opened from the link in a password reset email. */
export function Component() {
  const [search] = useSearchParams();
  const reset = useMutation(useAccountApi().auth.resetPassword.mutationOptions());
  return (
    <>
      <title>Set a new password · Postrider</title>
      <h1>Set a new password</h1>
      {reset.isSuccess ? (
        <Notice tone="good" title="Password changed. You've been signed out everywhere." />
      ) : (
        <Form
          label="Set a new password"
          failure={reset.error ? failureOf(reset.error) : null}
          onSubmit={({ password = '' }) => reset.mutate({ token: search.get('token') ?? '', password })}
        >
          <TextField
            name="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            {...textLimits(resetPasswordInput, 'password')}
            hint="At least 8 characters."
            required
            autoFocus
          />
          <Button kind="primary" type="submit" pending={reset.isPending}>
            Set password
          </Button>
        </Form>
      )}
      <p>
        <Link to={reset.isSuccess ? paths.login : paths.forgotPassword}>
          {reset.isSuccess ? 'Log in' : 'Request a new link'}
        </Link>
      </p>
    </>
  );
}
