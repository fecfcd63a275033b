import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { shownAddress } from '../../../lib/shown-address.rules.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import type { Action } from '../../../ui/menu.tsx';

/** Removes everything about a person, after a dialog that says what stays; then the receipt is shown. */
export function useErasePerson(email: string): Action {
  const [open, setOpen] = useState(false);
  return {
    label: 'Erase',
    icon: 'trash',
    danger: true,
    run: () => setOpen(true),
    dialog: open && <EraseDialog email={email} onClose={() => setOpen(false)} />,
  };
}

function EraseDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const api = useApi();
  const to = useProjectPath();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const erase = useMutation(
    api.privacy.erase.mutationOptions({
      async onSuccess({ id }) {
        await navigate(to(`privacy/${id}`));
        announce('The person is erased');
        await queryClient.invalidateQueries();
      },
    }),
  );
  return (
    <Dialog title={`Erase ${shownAddress(email)}?`} onClose={onClose}>
      <Form
        label="Erase"
        failure={erase.error ? failureOf(erase.error) : null}
        onSubmit={({ reason = '' }) => erase.mutate({ email, reason })}
      >
        <p>
          The contact, its events and what its emails say are removed, and its address is searched for in
          everything that this project stores. This can't be undone. Files of exports of the project, and
          failed rows of its imports, are removed as well.
        </p>
        <p>
          Kept are an opt-out and a proof of what was agreed to, without the address, and an entry of the
          suppression list with it.
        </p>
        <TextField
          name="reason"
          label="Reason"
          maxLength={200}
          hint="For the receipt. Leave out who the person is."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" type="submit" pending={erase.isPending}>
            Erase person
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
