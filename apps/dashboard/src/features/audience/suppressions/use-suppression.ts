import { useQuery } from '@tanstack/react-query';
import { type Suppression, useApi } from '../../../lib/api.ts';

/** The entry of an address on the suppression list; null without one, undefined until it is known. */
export function useSuppression(email: string): Suppression | null | undefined {
  const list = useQuery(useApi().contacts.listSuppressions.queryOptions({ search: email }));
  return list.data && (list.data.data.find((each) => each.email === email) ?? null);
}
