import { cursorsOf, projectIdOf, query } from '../../base/kernel/index.ts';
import { countDeliveries, findDeliveries } from './deliveries.store.ts';
import { presentDelivery } from './present-delivery.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { deliveryList, listDeliveriesInput } from './webhook-endpoints.schema.ts';

export const listWebhookDeliveries = query({
  name: 'webhooks.deliveries',
  summary: 'Lists the deliveries of a webhook endpoint, newest first',
  permission: 'webhooks:read',
  errors: ['BAD_REQUEST', 'RESOURCE_NOT_FOUND'],
  input: listDeliveriesInput,
  output: deliveryList,
  async handler(ctx, input) {
    const { id, status, type, limit } = input;
    await requireEndpoint(ctx, id);
    const cursors = cursorsOf('webhooks.deliveries', input);
    const after = cursors.after();
    const search = { projectId: projectIdOf(ctx), endpointId: id, status, type };
    const [rows, total] = await Promise.all([
      findDeliveries(ctx.db, search, after, limit + 1),
      after ? 0 : countDeliveries(ctx.db, search),
    ]);
    return cursors.page(rows.map(presentDelivery), (row) => row.createdAt, total);
  },
});
