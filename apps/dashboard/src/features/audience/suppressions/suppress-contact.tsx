import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useSuppression } from './use-suppression.ts';

/** Puts the address of a contact on the suppression list, after a confirmation; null while it is there, and where the list says how to remove it. */
export function useSuppressContact(email: string): Action | null {
  const api = useApi();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const suppression = useSuppression(email);
  const [asked, setAsked] = useState(false);
  const add = useMutation({
    ...api.contacts.addSuppressions.mutationOptions(),
    async onSuccess() {
      await Promise.all([
        queryClient.invalidateQueries(api.contacts.listSuppressions.pathFilter()),
        queryClient.invalidateQueries(api.explain.pathFilter()),
      ]);
      setAsked(false);
      announce(`${shownAddress(email)} suppressed`);
    },
  });
  if (suppression !== null) return null;
  return {
    label: 'Suppress',
    icon: 'stop',
    run() {
      add.reset();
      setAsked(true);
    },
    dialog: asked && (
      <Confirm
        title={`Suppress ${shownAddress(email)}?`}
        action="Suppress"
        pending={add.isPending}
        failure={add.error ? failureOf(add.error) : null}
        onConfirm={() => add.mutate({ emails: [email] })}
        onClose={() => setAsked(false)}
      >
        <p>
          This address will get no email of any kind from this project, receipts and password resets included,
          until it is removed from the suppression list.
        </p>
      </Confirm>
    ),
  };
}
