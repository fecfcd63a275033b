import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

/** Reads everything about workflows and who goes through them again, after some were cancelled. */
export function useRefreshExecutions(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.workflows.pathFilter());
}
