import { useInfiniteQuery } from '@tanstack/react-query';
import { type Email, useApi } from '../../lib/api.ts';

export interface EmailFilter {
  status?: Email['status'] | undefined;
  sourceType?: Email['sourceType'] | undefined;
  campaignId?: string | undefined;
  contactId?: string | undefined;
  templateId?: string | undefined;
  tag?: string | undefined;
  /** `key:value` */
  metadata?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** part of the address or subject */
  search?: string | undefined;
  sort?: 'createdAt' | 'scheduledAt' | undefined;
  dir?: 'asc' | 'desc' | undefined;
}

const pageSize = 50;

/** Emails, by default newest first. */
export function useEmailList(filter: EmailFilter) {
  const list = useInfiniteQuery({
    ...useApi().sending.listEmails.infiniteQueryOptions(
      { ...filter, limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  });
  return {
    ...list,
    emails: list.data?.pages.flatMap(({ data }) => data) ?? [],
    total: list.data?.pages[0]?.total ?? 0,
  };
}
