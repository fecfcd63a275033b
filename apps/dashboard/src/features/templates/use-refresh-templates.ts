import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

/** Reads everything about templates again, after one of them was changed. */
export function useRefreshTemplates(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.templates.pathFilter());
}
