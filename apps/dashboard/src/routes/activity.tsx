import { pastTypes } from '@postrider/core/base/event-types/contract';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ActivityTable } from '../features/audience/activity/activity-table.tsx';
import { Upcoming } from '../features/audience/activity/upcoming.tsx';
import { useApi } from '../lib/api.ts';
import { useListState } from '../lib/use-list-state.ts';
import { ListFrame } from '../ui/list-frame.tsx';
import { Page } from '../ui/page.tsx';
import { Filter } from '../ui/toolbar.tsx';

const pageSize = 50;

const types = pastTypes.map(({ type, words }) => ({ value: type, label: words }));

export function Component() {
  const state = useListState();
  const type = state.filter('type', types);
  const contactId = state.param('contact');
  const list = useInfiniteQuery({
    ...useApi().activity.list.infiniteQueryOptions(
      { limit: pageSize, ...(type && { types: type }), ...(contactId && { contactId }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    placeholderData: keepPreviousData,
  });
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page title="Activity" intro="Everything that happened in this project in the last 30 days.">
      <Upcoming />
      <ListFrame
        label="Activity"
        filters={
          <Filter
            label="Type"
            value={type}
            options={types}
            onChange={(value) => state.setFilter('type', value)}
          />
        }
        query={list}
        shown={items.length}
        isFiltered={state.isFiltered('type', 'contact')}
        onClear={state.clear}
        empty={{
          icon: 'activity',
          title: 'Nothing has happened yet',
          text: <p>Emails, events and workflow steps appear here as they happen.</p>,
        }}
        more={{ query: list }}
      >
        <ActivityTable label="Activity" items={items} />
      </ListFrame>
    </Page>
  );
}
