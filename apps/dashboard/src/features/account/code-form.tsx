import { useMutation } from '@tanstack/react-query';
import { useAccountApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { CodeField } from './code-field.tsx';

interface CodeFormProps {
  action: 'renew' | 'remove';
  onDone: (recoveryCodes?: readonly string[]) => Promise<void>;
  onCancel: () => void;
}

/** Asks for a code before the second factor is changed. */
export function CodeForm({ action, onDone, onCancel }: CodeFormProps) {
  const api = useAccountApi();
  const announce = useAnnounce();
  const renew = useMutation(
    api.auth.renewRecoveryCodes.mutationOptions({ onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) }),
  );
  const remove = useMutation(
    api.auth.removeSecondFactors.mutationOptions({
      async onSuccess() {
        await onDone();
        announce('Two-step login is turned off');
      },
    }),
  );
  const change = action === 'renew' ? renew : remove;
  return (
    <Form
      label={action === 'renew' ? 'Get new recovery codes' : 'Turn off two-step login'}
      failure={change.error ? failureOf(change.error) : null}
      onSubmit={({ code = '' }) => change.mutate({ code })}
    >
      <CodeField hint="The code that your authenticator app shows now, or a recovery code." />
      <FormActions>
        <Button kind={action === 'renew' ? 'primary' : 'danger'} type="submit" pending={change.isPending}>
          {action === 'renew' ? 'Get new codes' : 'Turn off'}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </FormActions>
    </Form>
  );
}
