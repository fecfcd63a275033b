import { useMutation } from '@tanstack/react-query';
import { useApi, type WebhookEndpoint } from '../../../lib/api.ts';
import { failureOf } from '../../../lib/failure.ts';
import { useAnnounce } from '../../../ui/announce.tsx';
import type { Action } from '../../../ui/menu.tsx';
import { useRefreshEndpoints } from './use-refresh-endpoints.ts';

/** Enables a disabled endpoint, and disables an enabled one. */
export function useEnableEndpoint({ id, enabled }: WebhookEndpoint): Action {
  const announce = useAnnounce();
  const refresh = useRefreshEndpoints();
  const update = useMutation({
    ...useApi().webhooks.update.mutationOptions(),
    async onSuccess(endpoint) {
      await refresh();
      announce(endpoint.enabled ? 'Endpoint enabled' : 'Endpoint disabled');
    },
    onError: (error) => announce(failureOf(error).message, 'note'),
  });
  return {
    label: enabled ? 'Disable' : 'Enable',
    icon: enabled ? 'stop' : 'play',
    pending: update.isPending,
    run: () => update.mutate({ id, enabled: !enabled }),
  };
}
