import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { useDeleteRecord } from '../../../ui/delete-record.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

export function useDeleteEndpoint(endpointId: string): Action {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshEndpoints();
  const remove = useMutation({
    ...useApi().webhooks.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('webhooks'));
      announce('Endpoint deleted');
      await refresh();
    },
  });
  return useDeleteRecord({
    label: 'this endpoint',
    noun: 'endpoint',
    remove,
    onConfirm: () => remove.mutate({ id: endpointId }),
    children: 'Its deliveries are deleted with it, and pending ones are not sent.',
  });
}
