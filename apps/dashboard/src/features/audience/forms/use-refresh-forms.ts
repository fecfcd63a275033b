import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

/** Refetches everything about sign-up forms after a change. */
export function useRefreshForms(): () => Promise<void> {
  const api = useApi();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries(api.forms.pathFilter());
}
