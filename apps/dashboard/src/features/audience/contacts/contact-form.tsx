import { useMutation } from '@tanstack/react-query';
import { type Contact, useApi } from '../../../lib/api.ts';
import { useDraft } from '../../../lib/use-draft.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { dataChanges } from './contact-data.rules.ts';
import { type DataRow, rowsOf } from './data-rows.rules.ts';
import { DataRows } from './data-rows.tsx';
import { useDataRows } from './use-data-rows.ts';
import { useRefreshContacts } from './use-refresh-contacts.ts';

/** Address, external id and data of a contact. Only changed fields are sent, so that concurrent changes to other fields are kept. */
export function ContactForm({ contact }: { contact: Contact }) {
  const announce = useAnnounce();
  const refresh = useRefreshContacts();
  const draft = useDraft(`contact.${contact.id}`);
  const update = useMutation({
    ...useApi().contacts.update.mutationOptions(),
    async onSuccess({ data }) {
      setRows(rowsOf(data));
      draft.saved();
      await refresh();
      announce('Saved');
    },
  });
  const { rows, setRows, problems, failure, submit } = useDataRows(
    () => rowsOf(contact.data),
    useFailure(update.error),
  );
  return (
    <Form
      label="Contact"
      failure={failure}
      draft={draft}
      extra={{ value: rows, restore: (value) => setRows(value as DataRow[]) }}
      onSubmit={({ email = '', externalId = '' }) =>
        submit((data) => {
          const address = email.trim();
          const ownId = externalId.trim() || null;
          update.mutate({
            id: contact.id,
            ...(address !== contact.email && { email: address }),
            ...(ownId !== contact.externalId && { externalId: ownId }),
            data: dataChanges(contact.data, data),
          });
        })
      }
    >
      <TextField name="email" label="Email" type="email" defaultValue={contact.email} required />
      <TextField
        name="externalId"
        label="External ID"
        hint="The contact’s ID in your own system."
        defaultValue={contact.externalId ?? ''}
      />
      <DataRows rows={rows} onChange={setRows} problems={problems} />
      <FormActions>
        <Button kind="primary" type="submit" pending={update.isPending}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}
