import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi, useApiClient } from '../../lib/api.ts';
import { type Failure, RestError } from '../../lib/failure.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useOpenAt } from '../../lib/use-open-at.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { CheckField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { type ContactValue, parseDataLines } from './contact-data.rules.ts';
import { dataFailure, foldData } from './data-failure.ts';

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
  const [unreadable, setUnreadable] = useState<Failure | null>(null);
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
  const refusal = useFailure(add.error);
  const submit = ({ email = '', subscribed, data: lines = '' }: FormValues) => {
    let data: Record<string, ContactValue>;
    try {
      data = parseDataLines(lines);
    } catch (error) {
      setUnreadable(dataFailure(error));
      return;
    }
    setUnreadable(null);
    add.mutate({ email: email.trim(), subscribed: subscribed === 'on', data });
  };
  return (
    <Dialog title="Add a contact" onClose={onClose}>
      <Form label="Add a contact" failure={unreadable ?? (refusal && foldData(refusal))} onSubmit={submit}>
        <TextField name="email" label="Email" type="email" autoComplete="off" required autoFocus />
        <CheckField
          name="subscribed"
          label="Subscribed"
          hint="Only subscribed contacts receive marketing emails. Select this only if they agreed to that."
        />
        <TextAreaField
          name="data"
          label="Data"
          code
          rows={4}
          placeholder={'name: Ada\nplan: pro'}
          hint="One field per line. Use them in emails as variables such as {{name}}."
        />
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
