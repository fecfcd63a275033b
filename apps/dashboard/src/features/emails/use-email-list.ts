import { useInfiniteQuery } from '@tanstack/react-query';
import { type Email, useApi } from '../../lib/api.ts';
import { idle, whileSettling } from '../../lib/polling.ts';

export interface EmailFilter {
  status?: Email['status'] | undefined;
  sourceType?: Email['sourceType'] | undefined;
  campaignId?: string | undefined;
  contactId?: string | undefined;
  templateId?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** part of the address or subject */
  search?: string | undefined;
}

const pageSize = 50;
/** Longer lists are not refreshed automatically, because each refresh loads all their pages. */
const livePages = 4;

/** Emails, newest first, refreshed while some of them are queued or being sent. */
export function useEmailList(filter: EmailFilter) {
  const list = useInfiniteQuery({
    ...useApi().emails.list.infiniteQueryOptions(
      { ...filter, limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      if (pages.length > livePages) return false;
      const isMoving = pages.some(({ data }) =>
        data.some(({ status }) => status === 'PENDING' || status === 'SENDING'),
      );
      return isMoving ? whileSettling : idle / 3;
    },
  });
  return {
    ...list,
    emails: list.data?.pages.flatMap(({ data }) => data) ?? [],
    total: list.data?.pages[0]?.total ?? 0,
  };
}
