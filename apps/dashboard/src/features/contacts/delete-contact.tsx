import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Contact, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { DeleteRecord } from '../../ui/delete-record.tsx';
import { useRefreshContacts } from './use-refresh-contacts.ts';

export function DeleteContact({ contact: { id, email } }: { contact: Contact }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshContacts();
  const remove = useMutation({
    ...useApi().contacts.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('contacts'));
      announce(`${email} is deleted`);
      await refresh();
    },
  });
  return (
    <DeleteRecord label={email} noun="contact" remove={remove} onConfirm={() => remove.mutate({ id })}>
      Its data, events and places in segments go. Its mails stay in all figures, without address and content;
      those that wait are not sent. If it had opted out, the address stays opted out.
    </DeleteRecord>
  );
}
