import { textLimits } from '@postrider/core/base/lib/contract';
import { verifyEmailInput } from '@postrider/core/people/users/contract';
import { useState } from 'react';
import type { Failure } from '../../../lib/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';

interface UnprovenAccountProps {
  failure: Failure | null;
  pending: boolean;
  onProof: (proof: { password: string } | { newPassword: string }) => void;
}

/** For the reader of a verification link who is not signed in to the account: it asks for its password, or makes the account theirs. */
export function UnprovenAccount({ failure, pending, onProof }: UnprovenAccountProps) {
  const [isNew, setNew] = useState(false);
  return (
    <>
      <Notice tone="warn" title="This account was created before its address was confirmed.">
        <p>
          {isNew
            ? 'A new password ends all sessions, removes second factors and linked sign-ins, and replaces the API keys of the projects.'
            : 'Enter its password, or set a new one if you do not know it.'}
        </p>
      </Notice>
      <Form
        key={String(isNew)}
        label="Verify your email address"
        failure={failure}
        onSubmit={({ password = '', newPassword = '' }) => onProof(isNew ? { newPassword } : { password })}
      >
        {isNew ? (
          <TextField
            name="newPassword"
            label="New password"
            type="password"
            autoComplete="new-password"
            {...textLimits(verifyEmailInput, 'newPassword')}
            hint="At least 8 characters."
            required
            autoFocus
          />
        ) : (
          <TextField
            name="password"
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
          />
        )}
        <Button kind="primary" type="submit" pending={pending}>
          {isNew ? 'Set password and verify' : 'Verify email address'}
        </Button>
      </Form>
      <p>
        <Button kind="quiet" onClick={() => setNew(!isNew)}>
          {isNew ? 'I know the password' : 'Set a new password instead'}
        </Button>
      </p>
    </>
  );
}
