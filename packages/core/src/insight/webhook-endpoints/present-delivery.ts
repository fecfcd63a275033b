import type { DeliveryRow } from './deliveries.store.ts';

export const presentDelivery = ({ data, eventAt, ...delivery }: DeliveryRow) => ({
  ...delivery,
  payload: payloadOf({ type: delivery.type, data, eventAt }),
});

/** The body of the requests (behaviour B11.3). */
export const payloadOf = ({ type, data, eventAt }: Pick<DeliveryRow, 'type' | 'data' | 'eventAt'>) => ({
  type,
  timestamp: eventAt.toISOString(),
  data,
});
