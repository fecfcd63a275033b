import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi, type WebhookDelivery } from '../../lib/api.ts';
import { idle } from '../../lib/polling.ts';

interface DeliveryFilter {
  id: string;
  status?: WebhookDelivery['status'] | undefined;
  type?: string | undefined;
}

const pageSize = 50;
/** Longer lists are not refreshed automatically, because each refresh loads all their pages. */
const livePages = 4;

/** Deliveries of an endpoint, newest first. */
export function useDeliveryList(filter: DeliveryFilter) {
  const list = useInfiniteQuery({
    ...useApi().webhookEndpoints.deliveries.infiniteQueryOptions(
      { ...filter, limit: pageSize },
      { getNextPageParam: ({ cursor }) => cursor },
    ),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > livePages ? false : idle / 3),
  });
  return {
    ...list,
    deliveries: list.data?.pages.flatMap(({ data }) => data) ?? [],
    total: list.data?.pages[0]?.total ?? 0,
  };
}
