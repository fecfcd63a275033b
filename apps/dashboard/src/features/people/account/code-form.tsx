import { useMutation } from '@tanstack/react-query';
import { useAccountApi } from '../../../lib/api.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { ProofForm } from './proof-form.tsx';

interface CodeFormProps {
  action: 'renew' | 'remove';
  hasPasskeys: boolean;
  onDone: (recoveryCodes?: readonly string[]) => Promise<void>;
  onCancel: () => void;
}

/** Asks for a proof before recovery codes are renewed, or two-step login is turned off. */
export function CodeForm({ action, hasPasskeys, onDone, onCancel }: CodeFormProps) {
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
    <ProofForm
      label={action === 'renew' ? 'Get new recovery codes' : 'Turn off two-step login'}
      action={action === 'renew' ? 'Get new codes' : 'Turn off'}
      danger={action === 'remove'}
      hasPasskeys={hasPasskeys}
      error={change.error}
      pending={change.isPending}
      onProof={(proof) => change.mutate(proof)}
      onCancel={onCancel}
    />
  );
}
