import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../../lib/api.ts';

/**
 * Refetches everything about contacts after a change, also what happened to them and why they get no email, and the segments, which count them. The function is stable for
 * the same project, so that effects can depend on it.
 */
export function useRefreshContacts(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return useCallback(async () => {
    await Promise.all([
      queryClient.invalidateQueries(api.contacts.pathFilter()),
      queryClient.invalidateQueries(api.segments.pathFilter()),
      queryClient.invalidateQueries(api.activity.pathFilter()),
      queryClient.invalidateQueries(api.explain.pathFilter()),
    ]);
  }, [api, queryClient]);
}
