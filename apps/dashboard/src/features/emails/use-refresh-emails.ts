import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

/** Refetches everything about emails after a change. */
export function useRefreshEmails(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.sending.pathFilter());
}
