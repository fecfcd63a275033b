import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import { Button } from '../../../ui/button.tsx';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

/** Queues a delivery again, whatever its state. */
export function ReplayDelivery(delivery: { endpointId: string; deliveryId: string }) {
  const { endpointId, deliveryId } = delivery;
  const announce = useAnnounce();
  const refresh = useRefreshEndpoints();
  const replay = useMutation({
    ...useApi().webhooks.replayDelivery.mutationOptions(),
    async onSuccess() {
      await refresh();
      announce('Queued again');
    },
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  return (
    <Button
      icon="refresh"
      pending={replay.isPending}
      onClick={() => replay.mutate({ id: endpointId, deliveryId })}
    >
      Replay
    </Button>
  );
}
