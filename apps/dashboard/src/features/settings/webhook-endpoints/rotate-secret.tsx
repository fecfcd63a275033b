import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, type WebhookEndpoint } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { Confirm } from '../../../ui/dialog.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** Services whose requests have one signature. */
const newAlone: readonly WebhookEndpoint['format'][] = ['SENDGRID', 'MAILGUN'];

/** Replaces the signing secret of an endpoint and shows the new one. */
export function useRotateSecret({ id: endpointId, format }: WebhookEndpoint): Action {
  const [open, setOpen] = useState(false);
  const rotate = useMutation(useApi().webhooks.rotateSecret.mutationOptions());
  const close = () => {
    setOpen(false);
    rotate.reset();
  };
  return {
    label: 'Rotate secret',
    icon: 'key',
    run: () => setOpen(true),
    dialog:
      open &&
      (rotate.data ? (
        <SecretDialog
          title="Secret rotated"
          secret={rotate.data.secret}
          publicKey={rotate.data.publicKey}
          onClose={close}
        />
      ) : (
        <Confirm
          title="Rotate the signing secret?"
          action="Rotate secret"
          pending={rotate.isPending}
          failure={rotate.error ? failureOf(rotate.error) : null}
          onConfirm={() => rotate.mutate({ id: endpointId })}
          onClose={close}
        >
          <p>
            {newAlone.includes(format)
              ? 'From now on, requests are signed with the new one alone.'
              : 'For 24 hours, requests are signed with both the old and the new secret.'}
          </p>
        </Confirm>
      )),
  };
}
