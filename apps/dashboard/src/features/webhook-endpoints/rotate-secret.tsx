import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

export function RotateSecret({ endpointId }: { endpointId: string }) {
  const [open, setOpen] = useState(false);
  const rotate = useMutation(useApi().webhookEndpoints.rotateSecret.mutationOptions());
  const close = () => {
    setOpen(false);
    rotate.reset();
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Rotate secret</Button>
      {open && rotate.data && (
        <SecretDialog title="Secret rotated" secret={rotate.data.secret} onClose={close} />
      )}
      {open && !rotate.data && (
        <Confirm
          title="Rotate the signing secret?"
          action="Rotate secret"
          pending={rotate.isPending}
          failure={rotate.error ? failureOf(rotate.error) : null}
          onConfirm={() => rotate.mutate({ id: endpointId })}
          onClose={close}
        >
          <p>For 24 hours, requests are signed with both the old and the new secret.</p>
        </Confirm>
      )}
    </>
  );
}
