import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

/** Refetches everything about workflows and their executions after a cancellation. */
export function useRefreshExecutions(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.workflows.pathFilter());
}
