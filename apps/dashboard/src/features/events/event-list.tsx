import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../lib/api.ts';
import { idle } from '../../lib/polling.ts';
import { useSearchText } from '../../lib/use-search-text.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadMore } from '../../ui/list-end.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Filter, Search, Toolbar } from '../../ui/toolbar.tsx';
import { EventTable } from './event-table.tsx';

const pageSize = 50;
/** Longer lists are not refreshed automatically, because each refresh loads all their pages. */
const livePages = 2;

interface EventListProps {
  /** Shows only events of this name; without it, one of `names` can be chosen. */
  name?: string;
  names?: string[];
}

/** Events one by one, newest first. */
export function EventList({ name, names = [] }: EventListProps) {
  const [chosen, setChosen] = useState('');
  const [text, setText, contact] = useSearchText();
  const eventName = name ?? chosen;
  const list = useInfiniteQuery({
    ...useApi().events.search.infiniteQueryOptions(
      { limit: pageSize, ...(eventName && { eventName }), ...(contact && { contact }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > livePages ? false : idle / 3),
  });
  const events = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const isFiltered = chosen !== '' || contact !== '';
  return (
    <>
      <Frame
        label="Event list"
        head={
          <Toolbar>
            <Search label="Exact email address" value={text} onChange={setText} />
            {name === undefined && (
              <Filter
                label="Name"
                value={chosen}
                options={names.map((value) => ({ value, label: value }))}
                onChange={setChosen}
              />
            )}
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={6} label="Loading events" />}
        {list.isError && events.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
        {events.length > 0 && <EventTable events={events} sameName={name !== undefined} />}
        {list.isSuccess && events.length === 0 && (
          <EmptyState title={isFiltered ? 'No events match your search' : 'No events yet'} />
        )}
      </Frame>
      {events.length > 0 && (
        <LoadMore
          shown={events.length}
          total={list.data?.pages[0]?.total ?? 0}
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}
