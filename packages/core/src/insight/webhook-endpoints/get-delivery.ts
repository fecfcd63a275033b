import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { findDelivery } from './deliveries.store.ts';
import { presentDelivery } from './present-delivery.ts';
import { deliveryInput, webhookDelivery } from './webhook-endpoints.schema.ts';

export const deliveryNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Delivery not found');

export const getWebhookDelivery = query({
  name: 'webhooks.getDelivery',
  summary: 'Returns a delivery of a webhook endpoint with its attempts',
  permission: 'webhooks:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: deliveryInput,
  output: webhookDelivery,
  async handler(ctx, { id, deliveryId }) {
    const place = { projectId: projectIdOf(ctx), endpointId: id, id: deliveryId };
    const row = await findDelivery(ctx.db, place);
    if (!row) throw deliveryNotFound();
    return presentDelivery(row);
  },
});
