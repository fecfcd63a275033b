import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

/** Refetches everything about segments after a change, their members included. */
export function useRefreshSegments(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries(api.segments.pathFilter()),
      queryClient.invalidateQueries(api.contacts.list.pathFilter()),
    ]);
  };
}
