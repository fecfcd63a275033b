import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Campaign, useApi } from '../../lib/api.ts';
import { idle, whileSettling } from '../../lib/polling.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadMore } from '../../ui/list-end.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Filter, Toolbar } from '../../ui/toolbar.tsx';
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

type RecipientType = (typeof types)[number]['value'];

const pageSize = 50;
/** Longer lists are not refreshed automatically, because each refresh loads all their pages. */
const livePages = 2;

/** The recipients of a campaign that has started, filtered by status. */
export function Recipients({ campaign: { id, status } }: { campaign: Campaign }) {
  const [type, setType] = useState<RecipientType | ''>('');
  const list = useInfiniteQuery({
    ...useApi().campaigns.recipients.infiniteQueryOptions(
      { id, limit: pageSize, ...(type && { type }) },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if ((state.data?.pages.length ?? 0) > livePages) return false;
      return status === 'SENDING' ? whileSettling : idle;
    },
  });
  const recipients = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <Frame
        label="Recipient list"
        head={
          <Toolbar>
            <Filter label="Status" value={type} options={types} onChange={setType} />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={6} label="Loading recipients" />}
        {list.isError && recipients.length === 0 && <LoadFailure error={list.error} retry={list.refetch} />}
        {recipients.length > 0 && <RecipientTable recipients={recipients} />}
        {list.isSuccess && recipients.length === 0 && (
          <EmptyState title={type === '' ? 'No recipients yet' : 'No matching recipients'} />
        )}
      </Frame>
      {recipients.length > 0 && (
        <LoadMore
          shown={recipients.length}
          total={list.data?.pages[0]?.total ?? 0}
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}
