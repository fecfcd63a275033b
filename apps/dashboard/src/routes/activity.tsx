import { pastTypes } from '@postrider/core/base/event-types/contract';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ActivityTable } from '../features/audience/activity/activity-table.tsx';
import { GroupTable } from '../features/audience/activity/group-table.tsx';
import { joined, needsMore } from '../features/audience/activity/groups.rules.ts';
import { Upcoming } from '../features/audience/activity/upcoming.tsx';
import { useApi } from '../lib/api.ts';
import { useProjectPath } from '../lib/current.ts';
import { type ListState, useListState } from '../lib/use-list-state.ts';
import { isDay } from '../ui/calendar.rules.ts';
import { DayRange } from '../ui/day-range.tsx';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Segments } from '../ui/segments.tsx';
import { Filter } from '../ui/toolbar.tsx';

const pageSize = 50;

const types = pastTypes.map(({ type, words }) => ({ value: type, label: words }));

const views = [
  { value: 'grouped', label: 'Grouped' },
  { value: 'items', label: 'Every item' },
] as const;

const filters = ['type', 'contact', 'from', 'to'];

/** What the address asks for. */
function askedBy(state: ListState) {
  const type = state.filter('type', types);
  const [contactId, from, to] = [state.param('contact'), state.param('from'), state.param('to')];
  return {
    ...(state.search && { text: state.search }),
    ...(type && { types: type }),
    ...(contactId && { contactId }),
    ...(isDay(from) && { startDate: from }),
    ...(isDay(to) && { endDate: to }),
  };
}

export function Component() {
  const state = useListState();
  const view = state.filter('view', views) || 'grouped';
  return (
    <Page
      title="Activity"
      intro="Everything that happened in this project, in the last 30 days unless you choose others."
      actions={
        <Segments
          label="View"
          options={views}
          value={view}
          onChange={(next) => state.setFilter('view', next === 'grouped' ? '' : next)}
        />
      }
    >
      <Upcoming />
      {view === 'grouped' ? <Groups state={state} /> : <Items state={state} />}
    </Page>
  );
}

function Groups({ state }: { state: ListState }) {
  const to = useProjectPath();
  const list = useInfiniteQuery({
    ...useApi().activity.groups.infiniteQueryOptions(askedBy(state), {
      getNextPageParam: ({ cursor }) => cursor,
    }),
    placeholderData: keepPreviousData,
  });
  const groups = joined(list.data?.pages.map(({ data }) => data) ?? []);
  const contact = state.param('contact');
  const { hasNextPage, isFetching, isPlaceholderData, fetchNextPage } = list;
  const isShort = needsMore(groups.length, list.data?.pages.length ?? 0);
  useEffect(() => {
    if (isShort && hasNextPage && !isFetching && !isPlaceholderData) void fetchNextPage();
  }, [isShort, hasNextPage, isFetching, isPlaceholderData, fetchNextPage]);
  return (
    <ListFrame {...frameOf(state)} query={list} shown={groups.length} more={{ query: list }}>
      <GroupTable
        groups={groups}
        isAll={!hasNextPage}
        itemsOf={({ type, day }) =>
          to(
            `activity?${new URLSearchParams({
              ...{ view: 'items', type, from: day, to: day },
              ...(state.search && { q: state.search }),
              ...(contact && { contact }),
            })}`,
          )
        }
      />
    </ListFrame>
  );
}

function Items({ state }: { state: ListState }) {
  const list = useInfiniteQuery({
    ...useApi().activity.list.infiniteQueryOptions(
      { limit: pageSize, ...askedBy(state) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    placeholderData: keepPreviousData,
  });
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ListFrame {...frameOf(state)} query={list} shown={items.length} more={{ query: list }}>
      <ActivityTable label="Activity" items={items} />
    </ListFrame>
  );
}

/** The search and filters of both views. */
function frameOf(state: ListState) {
  const [from, to] = [state.param('from'), state.param('to')];
  return {
    label: 'Activity',
    search: { label: 'Search people and events', text: state.text, onChange: state.setText },
    filters: (
      <>
        <Filter
          label="Type"
          value={state.filter('type', types)}
          options={types}
          onChange={(value) => state.setFilter('type', value)}
        />
        <DayRange from={from} to={to} onChange={state.setFilter} />
      </>
    ),
    isFiltered: state.isFiltered(...filters),
    onClear: () => {
      state.setText('');
      for (const name of filters) state.setFilter(name, '');
    },
    empty: {
      icon: 'activity',
      title: 'Nothing has happened yet',
      text: <p>Emails, events and workflow steps appear here as they happen.</p>,
    },
  } as const;
}
