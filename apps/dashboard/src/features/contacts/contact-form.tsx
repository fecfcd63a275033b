import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type Contact, useApi } from '../../lib/api.ts';
import type { Failure } from '../../lib/failure.ts';
import { useDraft } from '../../lib/use-draft.ts';
import { useFailure } from '../../lib/use-failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import { Form, FormActions } from '../../ui/form.tsx';
import { dataChanges, dataLines, parseDataLines } from './contact-data.rules.ts';
import { dataFailure, foldData } from './data-failure.ts';
import { useRefreshContacts } from './use-refresh-contacts.ts';

const leastRows = 5;

/** Address and data of a contact. Only changed fields are sent, so that concurrent changes to other fields are kept. */
export function ContactForm({ contact }: { contact: Contact }) {
  const announce = useAnnounce();
  const refresh = useRefreshContacts();
  const [unreadable, setUnreadable] = useState<Failure | null>(null);
  const draft = useDraft(`contact.${contact.id}`);
  const update = useMutation({
    ...useApi().contacts.update.mutationOptions(),
    async onSuccess() {
      draft.saved();
      await refresh();
      announce('Saved');
    },
  });
  const refusal = useFailure(update.error);
  const failure = useMemo(() => unreadable ?? (refusal && foldData(refusal)), [unreadable, refusal]);
  const submit = (email: string, lines: string) => {
    try {
      const data = dataChanges(contact.data, parseDataLines(lines));
      setUnreadable(null);
      update.mutate({ id: contact.id, ...(email !== contact.email && { email }), data });
    } catch (error) {
      setUnreadable(dataFailure(error));
    }
  };
  const lines = dataLines(contact.data);
  return (
    <Form
      label="Contact"
      failure={failure}
      draft={draft}
      onSubmit={({ email = '', data = '' }) => submit(email.trim(), data)}
    >
      <TextField name="email" label="Email" type="email" defaultValue={contact.email} required />
      <TextAreaField
        key={lines}
        name="data"
        label="Data"
        code
        rows={Math.max(leastRows, lines.split('\n').length + 1)}
        defaultValue={lines}
        placeholder={'name: Ada\nplan: pro'}
        hint="One field per line. Remove a line to delete the field. Put numbers in quotes to store them as text."
      />
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}
