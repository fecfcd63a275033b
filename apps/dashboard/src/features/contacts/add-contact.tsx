import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { type Failure, failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { CheckField, TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, type FormValues } from '../../ui/form.tsx';
import { type ContactValue, parseDataLines } from './contact-data.rules.ts';
import { dataFailure, foldData } from './data-failure.ts';

export function AddContact() {
  const [open, setOpen] = useState(false);
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
  const queryClient = useQueryClient();
  const announce = useAnnounce();
  const [unreadable, setUnreadable] = useState<Failure | null>(null);
  const upsert = useMutation({
    ...api.contacts.upsert.mutationOptions(),
    async onSuccess({ email, _meta }) {
      await queryClient.invalidateQueries(api.contacts.pathFilter());
      announce(_meta.isNew ? `${email} added` : `${email} already existed and was updated`);
      onClose();
    },
  });
  const submit = ({ email = '', subscribed, data: lines = '' }: FormValues) => {
    let data: Record<string, ContactValue>;
    try {
      data = parseDataLines(lines);
    } catch (error) {
      setUnreadable(dataFailure(error));
      return;
    }
    setUnreadable(null);
    upsert.mutate({ email, subscribed: subscribed === 'on', data });
  };
  return (
    <Dialog title="Add a contact" onClose={onClose}>
      <Form
        label="Add a contact"
        failure={unreadable ?? (upsert.error ? foldData(failureOf(upsert.error)) : null)}
        onSubmit={submit}
      >
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
          hint="One field per line. Use them in emails as variables such as {{name}}. Existing values are overwritten."
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" pending={upsert.isPending}>
            Add contact
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
