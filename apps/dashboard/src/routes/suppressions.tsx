import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { suppressionReasons } from '../features/suppressions/suppression-reason.tsx';
import { SuppressionTable } from '../features/suppressions/suppression-table.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { keysOf } from '../lib/keys-of.ts';
import { useSearchText } from '../lib/use-search-text.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadMore } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filter, Search, Toolbar } from '../ui/toolbar.tsx';

const reasonOptions = keysOf(suppressionReasons).map((value) => ({
  value,
  label: suppressionReasons[value],
}));
const pageSize = 50;

export function SuppressionsRoute() {
  const to = useProjectPath();
  const [text, setText, search] = useSearchText();
  const [reason, setReason] = useState<keyof typeof suppressionReasons | ''>('');
  const list = useInfiniteQuery(
    useApi().suppressions.list.infiniteQueryOptions(
      { limit: pageSize, ...(search && { search }), ...(reason && { reason }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  );
  const suppressions = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = search !== '' || reason !== '';
  return (
    <Page
      title="Suppression list"
      back={{ to: to('contacts'), label: 'Contacts' }}
      intro="Addresses that receive no email of any type, because an earlier email bounced permanently or was marked as spam. Addresses are added automatically."
    >
      <Frame
        label="Suppression list"
        head={
          <Toolbar>
            <Search label="Search addresses" value={text} onChange={setText} />
            <Filter label="Reason" value={reason} options={reasonOptions} onChange={setReason} />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={6} label="Loading the list" />}
        {list.isError && suppressions.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
        {suppressions.length > 0 && <SuppressionTable suppressions={suppressions} />}
        {list.isSuccess && suppressions.length === 0 && (
          <EmptyState title={isFiltered ? 'No addresses match your search' : 'No suppressed addresses'} />
        )}
      </Frame>
      {suppressions.length > 0 && (
        <LoadMore
          shown={suppressions.length}
          total={list.data?.pages[0]?.total ?? 0}
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Page>
  );
}
