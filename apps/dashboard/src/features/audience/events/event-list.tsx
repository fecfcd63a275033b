import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { useListState } from '../../../lib/use-list-state.ts';
import { ListFrame } from '../../../ui/list-frame.tsx';
import { Filter } from '../../../ui/toolbar.tsx';
import { ExportButton } from '../../common/exports/export-button.tsx';
import { EventTable } from './event-table.tsx';

const pageSize = 50;

interface EventListProps {
  /** Shows only events of this name; without it, one of `names` can be chosen. */
  name?: string;
  names?: string[];
}

/** Events one by one, newest first. */
export function EventList({ name, names = [] }: EventListProps) {
  const state = useListState();
  const contact = state.search;
  const chosen = state.param('event');
  const eventName = name ?? chosen;
  const filters = { ...(eventName && { eventName }), ...(contact && { contact }) };
  const list = useInfiniteQuery({
    ...useApi().events.search.infiniteQueryOptions(
      { ...filters, limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    placeholderData: keepPreviousData,
  });
  const events = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ListFrame
      label="Event list"
      noun="events"
      search={{ label: 'Exact email address', text: state.text, onChange: state.setText }}
      filters={
        name === undefined && (
          <Filter
            label="Name"
            value={chosen}
            options={names.map((value) => ({ value, label: value }))}
            onChange={(value) => state.setFilter('event', value)}
          />
        )
      }
      aside={
        <ExportButton
          request={{ type: 'events', ...filters }}
          what={eventName || contact ? 'the events shown' : 'all events'}
        />
      }
      query={list}
      shown={events.length}
      isFiltered={state.isFiltered('event')}
      {...(name === undefined && { onClear: state.clear })}
      empty={{ icon: 'event', title: 'No events yet' }}
      more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
    >
      <EventTable events={events} sameName={name !== undefined} />
    </ListFrame>
  );
}
