import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

/** Reads everything about campaigns again, after one of them was changed. */
export function useRefreshCampaigns(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.campaigns.pathFilter());
}
