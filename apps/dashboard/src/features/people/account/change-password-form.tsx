import { textLimits } from '@postrider/core/base/lib/contract';
import { changePasswordInput } from '@postrider/core/people/users/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { useUser } from '../../../lib/current.ts';
import { type Failure, failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';

export function ChangePasswordForm() {
  const user = useUser();
  const announce = useAnnounce();
  // A new key empties the fields after the change.
  const [round, setRound] = useState(0);
  const change = useMutation(
    useAccountApi().auth.changePassword.mutationOptions({
      onSuccess() {
        announce("Password changed. You've been signed out everywhere else.");
        setRound((count) => count + 1);
      },
    }),
  );
  return (
    <Form
      key={round}
      label="Change password"
      failure={change.error ? atItsField(failureOf(change.error)) : null}
      onSubmit={({ currentPassword = '', newPassword = '' }) =>
        change.mutate({ currentPassword, newPassword })
      }
    >
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <TextField
        name="currentPassword"
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
      />
      <TextField
        name="newPassword"
        label="New password"
        type="password"
        autoComplete="new-password"
        {...textLimits(changePasswordInput, 'newPassword')}
        hint="At least 8 characters. You'll be signed out everywhere else."
        required
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={change.isPending}>
          Change password
        </Button>
      </FormActions>
    </Form>
  );
}

/** Here, invalid credentials can only mean a wrong current password. */
const atItsField = (failure: Failure): Failure =>
  failure.code === 'INVALID_CREDENTIALS'
    ? { ...failure, fields: { currentPassword: 'This is not your current password' } }
    : failure;
