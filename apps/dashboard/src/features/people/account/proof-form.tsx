import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { answerWithPasskey } from '../../../lib/passkeys.ts';
import { Button } from '../../../ui/button.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { CodeField } from './code-field.tsx';

/** A code, or the answer of a passkey. */
export type Proof = { code: string } | { passkey: Awaited<ReturnType<typeof answerWithPasskey>> };

interface ProofFormProps {
  label: string;
  action: string;
  danger?: boolean;
  hasPasskeys: boolean;
  error: unknown;
  pending: boolean;
  onProof: (proof: Proof) => void;
  onCancel: () => void;
  children?: ReactNode;
}

/** Asks for a code or a passkey before the second factors are changed. */
export function ProofForm({
  label,
  action,
  danger,
  hasPasskeys,
  error,
  pending,
  onProof,
  onCancel,
  children,
}: ProofFormProps) {
  const challenge = useMutation(useAccountApi().auth.challengePasskey.mutationOptions());
  const asking = useMutation({
    mutationFn: async () => answerWithPasskey((await challenge.mutateAsync({})).options),
    onSuccess: (passkey) => onProof({ passkey }),
  });
  const failed = asking.error ?? error;
  return (
    <Form
      label={label}
      failure={failed ? failureOf(failed) : null}
      onSubmit={({ code = '' }) => {
        asking.reset();
        onProof({ code });
      }}
    >
      {children}
      {hasPasskeys && (
        <FormActions>
          <Button pending={asking.isPending} onClick={() => asking.mutate()}>
            Use a passkey
          </Button>
        </FormActions>
      )}
      <CodeField hint="The code that your authenticator app shows now, or a recovery code." />
      <FormActions>
        <Button kind={danger ? 'danger' : 'primary'} type="submit" pending={pending}>
          {action}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  );
}
