import { useMutation, useQuery } from '@tanstack/react-query';
import { type ContactField, useApi } from '../../../lib/api.ts';
import { plural } from '../../../lib/format.ts';
import { useFailure } from '../../../lib/use-failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Form, FormActions } from '../../../ui/form.tsx';
import { LoadFailure } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { definedTypes } from './contact-fields.rules.ts';
import { useRefreshContacts } from './use-refresh-contacts.ts';

/** The type and label of a custom field. */
export function DefineField({ field }: { field: string }) {
  const list = useQuery(useApi().contacts.listFields.queryOptions());
  if (list.isError && !list.data) return <LoadFailure error={list.error} retry={list.refetch} />;
  if (!list.data) return <Skeleton lines={3} label="Loading the type of the field" />;
  const known = list.data.fields.find((each) => each.field === field);
  return <DefinitionForm key={JSON.stringify(known?.definition)} field={field} known={known} />;
}

function DefinitionForm({ field, known }: { field: string; known: ContactField | undefined }) {
  const announce = useAnnounce();
  const refresh = useRefreshContacts();
  const define = useMutation({
    ...useApi().contacts.defineField.mutationOptions(),
    async onSuccess() {
      await refresh();
      announce('Saved');
    },
  });
  const definition = known?.definition;
  return (
    <Form
      label="Type of the field"
      failure={useFailure(define.error)}
      onSubmit={({ type = '', label = '' }) => {
        const chosen = Object.keys(definedTypes).find((each) => each === type);
        define.mutate({
          field,
          type: (chosen as keyof typeof definedTypes | undefined) ?? null,
          label: label.trim() === '' ? null : label,
        });
      }}
    >
      <SelectField name="type" label="Type" defaultValue={definition?.type ?? ''}>
        <option value="">Any value</option>
        {Object.entries(definedTypes).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField name="label" label="Label" defaultValue={known?.label ?? ''} maxLength={100} />
      {definition?.converting && <p>Stored values are being converted.</p>}
      {definition && definition.unread > 0 && (
        <p>{plural(definition.unread, 'value')} could not be converted and stayed as before.</p>
      )}
      <FormActions>
        <Button kind="primary" type="submit" pending={define.isPending}>
          Save
        </Button>
      </FormActions>
    </Form>
  );
}
