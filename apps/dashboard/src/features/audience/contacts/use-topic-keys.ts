import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

/** The keys of the topics that contacts can choose. */
export function useTopicKeys(): string[] {
  const topics = useQuery({ ...useApi().topics.list.queryOptions({}), staleTime: 60_000 });
  return (topics.data ?? []).map(({ key }) => key);
}
