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
      announce(`“${name}” deleted`);
      await refresh();
    },
  });
  return (
    <DeleteRecord label={`“${name}”`} noun="template" remove={remove} onConfirm={() => remove.mutate({ id })}>
      API requests that use this template will fail. Campaigns keep the content they copied from it. You can't
      delete a template that a workflow uses.
    </DeleteRecord>
  );
}
