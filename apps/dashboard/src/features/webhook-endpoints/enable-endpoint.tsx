import { useMutation } from '@tanstack/react-query';
import { useApi, type WebhookEndpoint } from '../../lib/api.ts';
import { failureOf } from '../../lib/failure.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

/** Enables a disabled endpoint, and disables an enabled one. */
export function EnableEndpoint({ endpoint: { id, enabled } }: { endpoint: WebhookEndpoint }) {
  const announce = useAnnounce();
  const refresh = useRefreshEndpoints();
  const update = useMutation({
    ...useApi().webhookEndpoints.update.mutationOptions(),
    async onSuccess(endpoint) {
      await refresh();
      announce(endpoint.enabled ? 'Endpoint enabled' : 'Endpoint disabled');
    },
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  return (
    <Button
      kind={enabled ? 'plain' : 'primary'}
      pending={update.isPending}
      onClick={() => update.mutate({ id, enabled: !enabled })}
    >
      {enabled ? 'Disable' : 'Enable'}
    </Button>
  );
}
