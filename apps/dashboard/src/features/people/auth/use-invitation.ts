import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { useAccountApi } from '../../../lib/api.ts';

/** The invitation given in the URL as `?invitation=<token>`, if any. */
export function useInvitation() {
  const [search] = useSearchParams();
  const token = search.get('invitation');
  const query = useQuery(
    useAccountApi().auth.getInvitation.queryOptions(
      { token: token ?? '' },
      { enabled: token !== null, retry: false },
    ),
  );
  return { token, invitation: query.data, error: query.error };
}
