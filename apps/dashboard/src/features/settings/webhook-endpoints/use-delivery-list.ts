import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi, type WebhookDelivery } from '../../../lib/api.ts';

interface DeliveryFilter {
  id: string;
  status?: WebhookDelivery['status'] | undefined;
  type?: string | undefined;
}

const pageSize = 50;

/** Deliveries of an endpoint, newest first. */
export function useDeliveryList(filter: DeliveryFilter) {
  const list = useInfiniteQuery({
    ...useApi().webhooks.deliveries.infiniteQueryOptions(
      { ...filter, limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
  });
  return {
    ...list,
    deliveries: list.data?.pages.flatMap(({ data }) => data) ?? [],
    total: list.data?.pages[0]?.total ?? 0,
  };
}
