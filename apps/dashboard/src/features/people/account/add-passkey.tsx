import { textLimits } from '@postrider/core/base/lib/contract';
import { addPasskeyInput } from '@postrider/core/people/users/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { makePasskey } from '../../../lib/passkeys.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { PasswordField } from './password-field.tsx';
import { type Proof, ProofForm } from './proof-form.tsx';

interface AddPasskeyProps {
  /** Whether the account has a second factor, which has to be proven first. */
  isProtected: boolean;
  hasPasskeys: boolean;
  /** Whether the password has to be given, because the session is not fresh. */
  needsPassword: boolean;
  onDone: (recoveryCodes?: readonly string[]) => Promise<void>;
  onCancel: () => void;
}

/** Asks for a name, and for a proof on a protected account, and lets the browser make the passkey. */
export function AddPasskey({ isProtected, hasPasskeys, needsPassword, onDone, onCancel }: AddPasskeyProps) {
  const api = useAccountApi();
  const [name, setName] = useState<string | null>(null);
  const start = useMutation(api.auth.startPasskey.mutationOptions());
  const add = useMutation(api.auth.addPasskey.mutationOptions());
  const adding = useMutation({
    async mutationFn(given: { name: string; password?: string } & Partial<Proof>) {
      const credential = await makePasskey((await start.mutateAsync({})).options);
      return add.mutateAsync({ ...given, credential });
    },
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes ?? []),
  });
  if (name !== null) {
    return (
      <ProofForm
        label="Confirm that it is you"
        action="Continue"
        hasPasskeys={hasPasskeys}
        error={adding.error}
        pending={adding.isPending}
        onProof={(proof) => adding.mutate({ name, ...proof })}
        onCancel={onCancel}
      />
    );
  }
  return (
    <Form
      label="Add a passkey"
      failure={adding.error ? failureOf(adding.error) : null}
      onSubmit={(values) => {
        const given = values['name'] ?? '';
        if (isProtected) setName(given);
        else adding.mutate({ name: given, ...(needsPassword && { password: values['password'] ?? '' }) });
      }}
    >
      <TextField
        name="name"
        label="Name"
        {...textLimits(addPasskeyInput, 'name')}
        hint="To tell your passkeys apart, such as the device that it is on."
        required
        autoFocus
      />
      {needsPassword && <PasswordField />}
      <FormActions>
        <Button kind="primary" type="submit" pending={adding.isPending}>
          Continue
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  );
}
