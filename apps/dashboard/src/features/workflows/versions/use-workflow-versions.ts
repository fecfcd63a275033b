import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

const pageSize = 25;

/** The versions of a workflow, newest first. */
export function useWorkflowVersions(id: string) {
  const list = useInfiniteQuery(
    useApi().workflows.listVersions.infiniteQueryOptions(
      { id, limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const versions = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return { list, versions, total: list.data?.pages[0]?.total ?? 0 };
}
