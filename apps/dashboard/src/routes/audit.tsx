import { useInfiniteQuery } from '@tanstack/react-query';
import { AuditTable } from '../features/audit/audit-table.tsx';
import { useApi } from '../lib/api.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadMore } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const pageSize = 50;

export function AuditRoute() {
  const list = useInfiniteQuery(
    useApi().audit.list.infiniteQueryOptions(
      { limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page title="Audit log" intro="Who changed what in this project. Entries are kept for 400 days.">
      <Frame label="Audit log">
        {list.isPending && <Skeleton lines={6} label="Loading the audit log" />}
        {list.isError && entries.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
        {entries.length > 0 && <AuditTable entries={entries} />}
        {list.isSuccess && entries.length === 0 && <EmptyState title="Nothing has been changed yet" />}
      </Frame>
      {entries.length > 0 && (
        <LoadMore
          shown={entries.length}
          total={list.data?.pages[0]?.total ?? 0}
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Page>
  );
}
