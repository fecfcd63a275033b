import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useAccountApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { FailureNotice } from '../../../ui/notice.tsx';
import { CodeField } from './code-field.tsx';
import { PasswordField } from './password-field.tsx';
import { ProofForm } from './proof-form.tsx';

interface AddAuthenticatorAppProps {
  /** Whether a passkey protects the account, which has to be proven first. */
  hasPasskeys: boolean;
  /** Whether the password has to be given, because the session is not fresh. */
  needsPassword: boolean;
  onDone: (recoveryCodes: readonly string[]) => Promise<void>;
  onCancel: () => void;
}

/** Shows the secret for the app, and asks for its first code. */
export function AddAuthenticatorApp({
  hasPasskeys,
  needsPassword,
  onDone,
  onCancel,
}: AddAuthenticatorAppProps) {
  const api = useAccountApi();
  const adding = useMutation(api.auth.addAuthenticatorApp.mutationOptions());
  const confirming = useMutation(
    api.auth.confirmAuthenticatorApp.mutationOptions({
      onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
    }),
  );
  const { mutate: add } = adding;
  useEffect(() => {
    if (!hasPasskeys && !needsPassword) add({});
  }, [add, hasPasskeys, needsPassword]);

  if (hasPasskeys && !adding.data) {
    return (
      <ProofForm
        label="Confirm that it is you"
        action="Continue"
        hasPasskeys
        error={adding.error}
        pending={adding.isPending}
        onProof={add}
        onCancel={onCancel}
      />
    );
  }
  if (needsPassword && !adding.data) {
    return (
      <Form
        label="Confirm that it is you"
        failure={adding.error ? failureOf(adding.error) : null}
        onSubmit={({ password = '' }) => add({ password })}
      >
        <PasswordField />
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
  if (adding.error) return <FailureNotice failure={failureOf(adding.error)} />;
  if (!adding.data) return <p>Making a secret for your app…</p>;
  const { secret, qrCode } = adding.data;
  return (
    <>
      <p>Scan this code with an authenticator app, or type in the secret.</p>
      <img src={qrCode} width={180} height={180} alt="QR code with the secret for your authenticator app" />
      <CodeBlock title="Secret" code={secret} />
      <Form
        label="Confirm the authenticator app"
        failure={confirming.error ? failureOf(confirming.error) : null}
        onSubmit={({ code = '' }) => confirming.mutate({ code })}
      >
        <CodeField hint="The six digits that the app shows now." />
        <FormActions>
          <Button kind="primary" type="submit" pending={confirming.isPending}>
            Turn on
          </Button>
          <Button kind="quiet" onClick={onCancel}>
            Cancel
          </Button>
        </FormActions>
      </Form>
    </>
  );
}
