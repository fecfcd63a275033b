import type { WebhookEndpoint } from '../../../lib/api.ts';
import { keysOf } from '../../../lib/keys-of.ts';
import { useListState } from '../../../lib/use-list-state.ts';
import { ListFrame } from '../../../ui/list-frame.tsx';
import { Filter } from '../../../ui/toolbar.tsx';
import { deliveryStatuses } from './delivery-state.rules.ts';
import { DeliveryTable } from './delivery-table.tsx';
import { useDeliveryList } from './use-delivery-list.ts';
import { useDeliveryTypes } from './use-delivery-types.ts';

const statusOptions = keysOf(deliveryStatuses).map((value) => ({
  value,
  label: deliveryStatuses[value].label,
}));

/** The deliveries of an endpoint. */
export function DeliveryList({ endpoint }: { endpoint: WebhookEndpoint }) {
  const state = useListState();
  const status = state.filter('status', statusOptions);
  const type = state.param('type');
  const types = [...new Set([...useDeliveryTypes(endpoint), ...(type === '' ? [] : [type])])];
  const list = useDeliveryList({
    id: endpoint.id,
    status: status || undefined,
    type: type || undefined,
  });
  return (
    <ListFrame
      label="Deliveries"
      filters={
        <>
          <Filter
            label="Status"
            value={status}
            options={statusOptions}
            onChange={(value) => state.setFilter('status', value)}
          />
          <Filter
            label="Type"
            value={type}
            options={types.map((value) => ({ value, label: value }))}
            onChange={(value) => state.setFilter('type', value)}
          />
        </>
      }
      query={list}
      shown={list.deliveries.length}
      isFiltered={state.isFiltered('status', 'type')}
      onClear={state.clear}
      empty={{
        icon: 'webhook',
        title: 'No deliveries yet',
        text: (
          <p>
            {endpoint.enabled
              ? 'Each event that is sent to this address appears here, with its answer. Send a test event to see the first.'
              : 'This endpoint is disabled: it receives nothing until you enable it.'}
          </p>
        ),
      }}
      more={{ query: list, total: list.total }}
    >
      <DeliveryTable endpointId={endpoint.id} deliveries={list.deliveries} />
    </ListFrame>
  );
}
