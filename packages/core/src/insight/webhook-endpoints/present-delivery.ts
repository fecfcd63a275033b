import type { DeliveryRow } from './deliveries.store.ts';
import { webhookKindOf } from './event-types.rules.ts';

export const presentDelivery = ({ data, eventAt, ...delivery }: DeliveryRow) => ({
  ...delivery,
  payload: payloadOf({ type: delivery.type, data, eventAt }),
});

/** The body of the requests (behaviour B11.3). */
export const payloadOf = ({ type, data, eventAt }: Pick<DeliveryRow, 'type' | 'data' | 'eventAt'>) => ({
  type,
  kind: webhookKindOf(type),
  timestamp: eventAt.toISOString(),
  data,
});
