import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

/** Refetches everything about templates after a change. */
export function useRefreshTemplates(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.templates.pathFilter());
}
