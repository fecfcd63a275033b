import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { plural } from '../../../lib/format.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { DeleteRecord } from '../../../ui/delete-record.tsx';
import { fieldKey } from './contact-fields.rules.ts';
import { useRefreshContacts } from './use-refresh-contacts.ts';

export function DeleteField({ field, contactCount }: { field: string; contactCount: number }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshContacts();
  const name = fieldKey(field);
  const remove = useMutation({
    ...useApi().contacts.deleteField.mutationOptions(),
    async onSuccess({ deletedFrom }) {
      await navigate(to('contacts/fields'));
      announce(`“${name}” removed from ${plural(deletedFrom, 'contact')}`);
      await refresh();
    },
  });
  return (
    <DeleteRecord
      label={`“${name}”`}
      noun="field"
      count={contactCount}
      remove={remove}
      onConfirm={() => remove.mutate({ field })}
    >
      {plural(contactCount, 'contact loses', 'contacts lose')} this value. Emails that use it as a variable
      show its fallback or nothing. This can't be undone.
    </DeleteRecord>
  );
}
