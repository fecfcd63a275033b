import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Template, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { useDeleteRecord } from '../../ui/delete-record.tsx';
import type { Action } from '../../ui/menu.tsx';
import { useRefreshTemplates } from './use-refresh-templates.ts';

export function useDeleteTemplate({ id, name }: Template): Action {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshTemplates();
  const remove = useMutation({
    ...useApi().templates.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('templates'));
      announce(`“${name}” deleted`);
      await refresh();
    },
  });
  return useDeleteRecord({
    label: `“${name}”`,
    noun: 'template',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children: (
      <>
        API requests that use this template will fail. Campaigns keep the content they copied from it. You
        can't delete a template that a workflow uses.
      </>
    ),
  });
}
