import { command, projectIdOf } from '../../base/kernel/index.ts';
import { replayOne } from './deliveries.store.ts';
import { deliveryNotFound } from './get-delivery.ts';
import { presentDelivery } from './present-delivery.ts';
import { requireEnabledEndpoint } from './require-endpoint.ts';
import { deliveryInput, webhookDelivery } from './webhook-endpoints.schema.ts';

export const replayWebhookDelivery = command({
  name: 'webhooks.replayDelivery',
  summary: 'Queues a delivery again, whatever its state; its `webhook-id` stays the same',
  permission: 'webhooks:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: deliveryInput,
  output: webhookDelivery,
  async handler(ctx, { id, deliveryId }) {
    await requireEnabledEndpoint(ctx, id);
    const place = { projectId: projectIdOf(ctx), endpointId: id, id: deliveryId };
    const row = await replayOne(ctx.db, place);
    if (!row) throw deliveryNotFound();
    ctx.audit({ targetType: 'webhookDelivery', targetId: deliveryId });
    return presentDelivery(row);
  },
});
