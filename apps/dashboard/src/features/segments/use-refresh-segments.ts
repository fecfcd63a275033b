import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../lib/api.ts';

/** Reads everything about segments again, after one of them was changed. */
export function useRefreshSegments(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.segments.pathFilter());
}
