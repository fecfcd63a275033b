import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

/** Refetches everything about events after a deletion. */
export function useRefreshEvents(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.events.pathFilter());
}
