import { command, emptyObject, projectIdOf } from '../../base/kernel/index.ts';
import { endpointNotFound } from './require-endpoint.ts';
import { endpointIdInput } from './webhook-endpoints.schema.ts';
import { lockEndpoint, removeEndpoint } from './webhook-endpoints.store.ts';

export const deleteEndpoint = command({
  name: 'webhooks.delete',
  summary: 'Deletes a webhook endpoint; its pending deliveries are no longer attempted',
  permission: 'webhooks:write',
  risk: 'large',
  allowDisabled: true,
  errors: ['RESOURCE_NOT_FOUND'],
  input: endpointIdInput,
  output: emptyObject,
  async handler(ctx, { id }) {
    const endpoint = await lockEndpoint(ctx.db, projectIdOf(ctx), id);
    if (!endpoint) throw endpointNotFound();
    await removeEndpoint(ctx.db, id);
    ctx.audit({ targetType: 'webhookEndpoint', targetId: id, name: new URL(endpoint.url).host });
    return {};
  },
});
