import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi, type Workflow } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshWorkflows } from '../canvas/use-refresh-workflows.ts';

export function useDuplicateWorkflow({ id }: Workflow): Action {
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshWorkflows();
  const duplicate = useMutation({
    ...useApi().workflows.duplicate.mutationOptions(),
    onError: (error) => announce(failureOf(error).message, 'note'),
    async onSuccess(copy) {
      await refresh();
      await navigate(to(`workflows/${copy.id}`));
      announce(`Created the copy “${copy.name}”. It is disabled`);
    },
  });
  return { label: 'Duplicate', icon: 'copy', run: () => duplicate.mutate({ id }) };
}
