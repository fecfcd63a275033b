import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

/** Refetches everything about workflows after a change. */
export function useRefreshWorkflows(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.workflows.pathFilter());
}
