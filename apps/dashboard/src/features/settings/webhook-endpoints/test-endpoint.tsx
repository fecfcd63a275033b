import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../../../lib/api.ts';
import { useProjectPath } from '../../../lib/current.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

/** Sends a test event and opens its delivery. */
export function TestEndpoint({ endpointId }: { endpointId: string }) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const announce = useAnnounce();
  const refresh = useRefreshEndpoints();
  const test = useMutation({
    ...useApi().webhooks.test.mutationOptions(),
    async onSuccess({ deliveryId }) {
      await navigate(to(`webhooks/${endpointId}/deliveries/${deliveryId}`));
      await refresh();
    },
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  return (
    <Button kind="primary" pending={test.isPending} onClick={() => test.mutate({ id: endpointId })}>
      Send test event
    </Button>
  );
}
