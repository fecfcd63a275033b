import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { type Template, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { DeleteRecord } from '../../ui/delete-record.tsx';
import { useRefreshTemplates } from './use-refresh-templates.ts';

export function DeleteTemplate({ template: { id, name } }: { template: Template }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshTemplates();
  const remove = useMutation({
    ...useApi().templates.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('templates'));
      announce(`“${name}” is deleted`);
      await refresh();
    },
  });
  return (
    <DeleteRecord label={`“${name}”`} noun="template" remove={remove} onConfirm={() => remove.mutate({ id })}>
      Requests that send it by its id fail from then on. Campaigns keep the content they copied from it; a
      template that a workflow sends cannot be deleted.
    </DeleteRecord>
  );
}
