import { command, projectIdOf } from '../../base/kernel/index.ts';
import { insertDelivery } from './deliveries.store.ts';
import { testType } from './event-types.rules.ts';
import { requireEnabledEndpoint } from './require-endpoint.ts';
import { endpointIdInput, testOutput } from './webhook-endpoints.schema.ts';

export const testEndpoint = command({
  name: 'webhooks.test',
  summary: 'Sends a test event to a webhook endpoint, whatever its types',
  permission: 'webhooks:write',
  risk: 'large',
  outside: true,
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: endpointIdInput,
  output: testOutput,
  async handler(ctx, { id }) {
    await requireEnabledEndpoint(ctx, id);
    const deliveryId = await insertDelivery(ctx.db, {
      projectId: projectIdOf(ctx),
      endpointId: id,
      type: testType,
      data: { endpointId: id, message: 'A test event from Postrider', contact: null },
    });
    ctx.audit({ targetType: 'webhookEndpoint', targetId: id });
    return { deliveryId };
  },
});
