import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActivityTable } from '../features/activity/activity-table.tsx';
import { typeNames } from '../features/activity/item-in-words.rules.ts';
import { Upcoming } from '../features/activity/upcoming.tsx';
import { useApi } from '../lib/api.ts';
import { keysOf } from '../lib/keys-of.ts';
import { idle } from '../lib/polling.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LoadMore } from '../ui/list-end.tsx';
import { LoadFailure } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Frame } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Filter, Toolbar } from '../ui/toolbar.tsx';

const pageSize = 50;
/** Longer lists are not refreshed automatically, because each refresh loads all their pages. */
const livePages = 2;

const types = keysOf(typeNames).map((value) => ({ value, label: typeNames[value] }));

export function ActivityRoute() {
  const [type, setType] = useState<keyof typeof typeNames | ''>('');
  const list = useInfiniteQuery({
    ...useApi().activity.list.infiniteQueryOptions(
      { limit: pageSize, ...(type && { types: type }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > livePages ? false : idle / 3),
  });
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page title="Activity" intro="What happens in this project, as it happens: the last 30 days.">
      <Upcoming />
      <Frame
        label="Activity"
        head={
          <Toolbar>
            <Filter label="Type" value={type} options={types} onChange={setType} />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={8} label="Loading activity" />}
        {list.isError && items.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
        {items.length > 0 && <ActivityTable label="Activity" items={items} />}
        {list.isSuccess && items.length === 0 && (
          <EmptyState title={type ? 'Nothing of this type happened' : 'Nothing has happened yet'} />
        )}
      </Frame>
      {items.length > 0 && (
        <LoadMore
          shown={items.length}
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </Page>
  );
}
