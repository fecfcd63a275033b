import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Contact, useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshContacts } from './use-refresh-contacts.ts';

export function useDeleteContact({ id, email }: Contact): Action {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshContacts();
  const remove = useMutation({
    ...useApi().contacts.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('contacts'));
      announce(`${email} deleted`);
      await refresh();
    },
  });
  return useDeleteRecord({
    label: email,
    noun: 'contact',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children: (
      <>
        The contact's data, events and segment memberships are deleted. Emails already sent stay in your
        statistics, without address and content. Queued emails are not sent. If the contact opted out, the
        address stays opted out.
      </>
    ),
  });
}
