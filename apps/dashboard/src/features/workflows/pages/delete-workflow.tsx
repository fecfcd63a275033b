import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi, type Workflow } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';

export function useDeleteWorkflow({ id, name }: Workflow): Action {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshWorkflows();
  const remove = useMutation({
    ...useApi().workflows.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('workflows'));
      announce(`“${name}” deleted`);
      await refresh();
    },
  });
  return useDeleteRecord({
    label: `“${name}”`,
    noun: 'workflow',
    remove,
    onConfirm: () => remove.mutate({ id }),
    children: (
      <>
        Its past executions are deleted. The emails they sent are kept. You can't delete a workflow with
        active executions.
      </>
    ),
  });
}
