import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../../lib/api.ts';

/** Refetches everything about webhook endpoints after a change. Stable, so that effects can depend on it. */
export function useRefreshEndpoints(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.invalidateQueries(api.webhooks.pathFilter()), [api, queryClient]);
}
