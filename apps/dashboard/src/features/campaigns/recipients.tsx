import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Campaign, useApi } from '../../lib/api.ts';
import { idle, whileSettling } from '../../lib/polling.ts';
import { useListState } from '../../lib/use-list-state.ts';
import { ListFrame } from '../../ui/list-frame.tsx';
import { Filter } from '../../ui/toolbar.tsx';
import { RecipientTable } from './recipient-table.tsx';

const types = [
  { value: 'sent', label: 'Sent' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Complained' },
  { value: 'failed', label: 'Failed' },
  { value: 'skipped', label: 'Skipped' },
  { value: 'uncertain', label: 'Uncertain' },
] as const;

const pageSize = 50;
/** Longer lists are not refreshed automatically, because each refresh loads all their pages. */
const livePages = 2;

/** The recipients of a campaign that has started, filtered by status. */
export function Recipients({ campaign: { id, status } }: { campaign: Campaign }) {
  const state = useListState();
  const type = state.filter('status', types);
  const list = useInfiniteQuery({
    ...useApi().campaigns.recipients.infiniteQueryOptions(
      { id, limit: pageSize, ...(type && { type }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => {
      if ((data?.pages.length ?? 0) > livePages) return false;
      return status === 'SENDING' ? whileSettling : idle;
    },
  });
  const recipients = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ListFrame
      label="Recipient list"
      noun="recipients"
      filters={
        <Filter
          label="Status"
          value={type}
          options={types}
          onChange={(value) => state.setFilter('status', value)}
        />
      }
      query={list}
      shown={recipients.length}
      isFiltered={state.isFiltered('status')}
      onClear={state.clear}
      empty={{ icon: 'contacts', title: 'No recipients yet' }}
      more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
    >
      <RecipientTable recipients={recipients} />
    </ListFrame>
  );
}
