import { useMutation } from '@tanstack/react-query';
import { useAccountApi } from '../../../lib/api.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { ProofForm } from './proof-form.tsx';

interface RemovePasskeyProps {
  passkey: { id: string; name: string };
  onDone: () => Promise<void>;
  onCancel: () => void;
}

export function RemovePasskey({ passkey: { id, name }, onDone, onCancel }: RemovePasskeyProps) {
  const announce = useAnnounce();
  const remove = useMutation(
    useAccountApi().auth.removePasskey.mutationOptions({
      async onSuccess() {
        await onDone();
        announce(`The passkey “${name}” is removed`);
      },
    }),
  );
  return (
    <ProofForm
      label="Remove the passkey"
      action="Remove"
      danger
      hasPasskeys
      error={remove.error}
      pending={remove.isPending}
      onProof={(proof) => remove.mutate({ id, ...proof })}
      onCancel={onCancel}
    >
      <p>The passkey “{name}” can no longer be used to log in.</p>
    </ProofForm>
  );
}
