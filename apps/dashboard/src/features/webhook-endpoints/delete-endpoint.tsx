import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { DeleteRecord } from '../../ui/delete-record.tsx';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

export function DeleteEndpoint({ endpointId }: { endpointId: string }) {
  const announce = useAnnounce();
  const navigate = useNavigate();
  const to = useProjectPath();
  const refresh = useRefreshEndpoints();
  const remove = useMutation({
    ...useApi().webhookEndpoints.delete.mutationOptions(),
    async onSuccess() {
      await navigate(to('webhooks'));
      announce('Endpoint deleted');
      await refresh();
    },
  });
  return (
    <DeleteRecord
      label="this endpoint"
      noun="endpoint"
      remove={remove}
      onConfirm={() => remove.mutate({ id: endpointId })}
    >
      Its deliveries are deleted with it, and pending ones are not sent.
    </DeleteRecord>
  );
}
