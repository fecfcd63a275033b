import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { Ago } from '../../../ui/time.tsx';
import { DeliveryStatus } from './delivery-status.tsx';

/** The state of the latest delivery of an endpoint. The calls of all rows of a list are sent in one request. */
export function LatestDelivery({ endpointId }: { endpointId: string }) {
  const { data } = useQuery(useApi().webhooks.deliveries.queryOptions({ id: endpointId, limit: 1 }));
  if (!data) return null;
  const [delivery] = data.data;
  if (!delivery) return 'None yet';
  return (
    <>
      <DeliveryStatus status={delivery.status} /> <Ago at={delivery.createdAt} />
    </>
  );
}
