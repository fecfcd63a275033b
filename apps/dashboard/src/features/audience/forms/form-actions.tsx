import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type SignUpForm, useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshForms } from './use-refresh-forms.ts';

/** Edits and deletes a form. */
export function useFormActions({ id, name }: SignUpForm): Action[] {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshForms();
  const remove = useMutation({
    ...useApi().forms.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('forms'));
      announce(`“${name}” deleted`);
      await refresh();
    },
  });
  return [
    { label: 'Edit', run: () => void navigate(to(`forms/${id}/edit`)) },
    useDeleteRecord({
      label: `“${name}”`,
      noun: 'form',
      remove,
      onConfirm: () => remove.mutate({ id }),
      children: (
        <>
          Pages that show it say that it is closed. People who were asked can still confirm. What they saw
          stays on record.
        </>
      ),
    }),
  ];
}
