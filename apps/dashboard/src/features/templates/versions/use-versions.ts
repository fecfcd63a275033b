import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

const pageSize = 8;

/** The versions of a template, newest first; the first is the present content. */
export function useVersions(templateId: string) {
  const list = useInfiniteQuery(
    useApi().templates.versions.infiniteQueryOptions(
      { id: templateId, limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const versions = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return { list, versions, total: list.data?.pages[0]?.total ?? 0, newest: versions[0]?.version ?? null };
}
