import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useListState } from '../../lib/use-list-state.ts';
import { ListFrame } from '../../ui/list-frame.tsx';
import { Filter } from '../../ui/toolbar.tsx';
import { ExportButton } from '../common/exports/export-button.tsx';
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

/** The recipients of a campaign that has started, filtered by status. */
export function Recipients({ campaign: { id } }: { campaign: Campaign }) {
  const state = useListState();
  const type = state.filter('status', types);
  const list = useInfiniteQuery({
    ...useApi().campaigns.recipients.infiniteQueryOptions(
      { id, limit: pageSize, ...(type && { type }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    placeholderData: keepPreviousData,
  });
  const isExpired = list.data?.pages[0]?.expired ?? false;
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
      aside={
        <ExportButton
          request={{ type: 'recipients', campaignId: id, ...(type && { status: type }) }}
          what={type ? 'the recipients shown' : 'all recipients'}
        />
      }
      query={list}
      shown={recipients.length}
      isFiltered={state.isFiltered('status') && !isExpired}
      onClear={state.clear}
      empty={
        isExpired
          ? {
              icon: 'contacts',
              title: 'Emails removed for their age',
              text: 'This installation keeps emails for a limited time. The figures of the campaign stay.',
            }
          : { icon: 'contacts', title: 'No recipients yet' }
      }
      more={{ query: list, total: list.data?.pages[0]?.total ?? 0 }}
    >
      <RecipientTable recipients={recipients} />
    </ListFrame>
  );
}
