import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../lib/api.ts';

/**
 * Reads everything about contacts again, after some of them were changed; segments count them, so those too. The same function
 * for as long as the project is, so that effects may depend on it.
 */
export function useRefreshContacts(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return useCallback(async () => {
    await Promise.all([
      queryClient.invalidateQueries(api.contacts.pathFilter()),
      queryClient.invalidateQueries(api.segments.pathFilter()),
    ]);
  }, [api, queryClient]);
}
