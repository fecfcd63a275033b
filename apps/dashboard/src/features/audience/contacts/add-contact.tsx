import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi, useApiClient } from '../../../lib/api.ts';
import { RestError } from '../../../lib/failure.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useOpenAt } from '../../../lib/use-open-at.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import type { ContactValue } from './contact-data.rules.ts';
import { newRow } from './data-rows.rules.ts';
import { DataRows } from './data-rows.tsx';
import { useDataRows } from './use-data-rows.ts';

interface NewContact {
  email: string;
  subscribed: boolean;
  data: Record<string, ContactValue>;
}

/** Adding an existing contact would overwrite its subscription with the box of this form. */
const alreadyThere = new RestError({
  message: 'This contact already exists',
  code: 'CONFLICT',
  suggestion: null,
  requestId: null,
  fields: { email: 'A contact with this address already exists. Open it in the list to change it.' },
  position: null,
});

export function AddContact() {
  const [open, setOpen] = useOpenAt('add');
  return (
    <>
      <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
        Add contact
      </Button>
      {open && <AddContactDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AddContactDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const { contacts } = useApiClient();
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const add = useMutation({
    async mutationFn(input: NewContact) {
      const { found } = await contacts.lookup.query({ emails: [input.email] });
      if (found.length > 0) throw alreadyThere;
      return contacts.upsert.mutate(input);
    },
    async onSuccess({ email }) {
      await queryClient.invalidateQueries(api.contacts.pathFilter());
      announce(`${email} added`);
      onClose();
    },
  });
  const { rows, setRows, problems, failure, submit } = useDataRows(() => [newRow()], useFailure(add.error));
  return (
    <Dialog title="Add a contact" onClose={onClose} wide>
      <Form
        label="Add a contact"
        failure={failure}
        onSubmit={({ email = '', subscribed }) =>
          submit((data) => add.mutate({ email: email.trim(), subscribed: subscribed === 'on', data }))
        }
      >
        <TextField name="email" label="Email" type="email" autoComplete="off" required autoFocus />
        <CheckField
          name="subscribed"
          label="Subscribed"
          hint="Only subscribed contacts receive marketing emails. Select this only if they agreed to that."
        />
        <DataRows rows={rows} onChange={setRows} problems={problems} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={add.isPending}>
            Add contact
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
