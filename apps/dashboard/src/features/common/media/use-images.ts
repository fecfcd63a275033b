import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';

const pageSize = 48;

/** The images of the project, newest first. @param search part of the file name */
export function useImages(search: string) {
  const list = useInfiniteQuery(
    useApi().uploads.list.infiniteQueryOptions(
      { limit: pageSize, ...(search && { search }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const images = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return { list, images, total: list.data?.pages[0]?.total ?? 0 };
}
