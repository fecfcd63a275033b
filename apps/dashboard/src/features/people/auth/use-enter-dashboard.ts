import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { safeNext } from '../../../lib/paths.ts';

/** Opens the page that was requested, after a login. What was read before it may be of another user. */
export function useEnterDashboard(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return async () => {
    queryClient.clear();
    await navigate(safeNext(search.get('next')), { replace: true });
  };
}
