import { useSearchParams } from 'react-router';
import type { WebhookEndpoint } from '../../lib/api.ts';
import { keysOf } from '../../lib/keys-of.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadMore } from '../../ui/list-end.tsx';
import { LoadFailure } from '../../ui/notice.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Filter, Toolbar } from '../../ui/toolbar.tsx';
import { deliveryStatuses } from './delivery-state.rules.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { useDeliveryList } from './use-delivery-list.ts';
import { useDeliveryTypes } from './use-delivery-types.ts';

const statusOptions = keysOf(deliveryStatuses).map((value) => ({
  value,
  label: deliveryStatuses[value].label,
}));

/** The deliveries of an endpoint. Filters are kept in the URL, so that a filtered list can be shared and survives Back. */
export function DeliveryList({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [search, setSearch] = useSearchParams();
  const status = statusOptions.find(({ value }) => value === search.get('status'))?.value;
  const type = search.get('type') ?? undefined;
  const types = [...new Set([...useDeliveryTypes(endpoint), ...(type === undefined ? [] : [type])])];
  const list = useDeliveryList({ id: endpoint.id, status, type });
  const isFiltered = status !== undefined || type !== undefined;
  const setFilter = (name: string, value: string) =>
    setSearch(
      (now) => {
        if (value === '') now.delete(name);
        else now.set(name, value);
        return now;
      },
      { replace: true },
    );
  return (
    <>
      <Frame
        label="Deliveries"
        head={
          <Toolbar>
            <Filter
              label="Status"
              value={status ?? ''}
              options={statusOptions}
              onChange={(value) => setFilter('status', value)}
            />
            <Filter
              label="Type"
              value={type ?? ''}
              options={types.map((value) => ({ value, label: value }))}
              onChange={(value) => setFilter('type', value)}
            />
          </Toolbar>
        }
      >
        {list.isPending && <Skeleton lines={8} label="Loading deliveries" />}
        {list.isError && list.deliveries.length === 0 && (
          <LoadFailure error={list.error} retry={list.refetch} />
        )}
        {list.deliveries.length > 0 && (
          <DeliveryTable endpointId={endpoint.id} deliveries={list.deliveries} />
        )}
        {list.isSuccess && list.deliveries.length === 0 && (
          <EmptyState title={isFiltered ? 'No deliveries match your filters' : 'No deliveries yet'} />
        )}
      </Frame>
      {list.deliveries.length > 0 && (
        <LoadMore
          shown={list.deliveries.length}
          total={list.total}
          hasMore={list.hasNextPage}
          pending={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}
