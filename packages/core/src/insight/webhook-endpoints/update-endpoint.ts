import { command, projectIdOf } from '../../base/kernel/index.ts';
import { assertReachable } from './assert-reachable.ts';
import { assertTypesOfFormat } from './assert-types-of-format.ts';
import { endpointNotFound } from './require-endpoint.ts';
import { endpointOutput, updateEndpointInput } from './webhook-endpoints.schema.ts';
import { changeEndpoint, lockEndpoint } from './webhook-endpoints.store.ts';

export const updateEndpoint = command({
  name: 'webhooks.update',
  summary: 'Changes a webhook endpoint, or enables or disables it',
  permission: 'webhooks:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND'],
  input: updateEndpointInput,
  output: endpointOutput,
  async handler(ctx, { id, ...change }) {
    if (change.url !== undefined) assertReachable(ctx, change.url);
    const endpoint = await lockEndpoint(ctx.db, projectIdOf(ctx), id);
    if (!endpoint) throw endpointNotFound();
    const { url, description, types, enabled } = change;
    if (types !== undefined) assertTypesOfFormat(endpoint.format, types);
    const changed = Object.entries(change).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    ctx.audit({ targetType: 'webhookEndpoint', targetId: id, changed });
    if (changed.length === 0) return endpoint;
    return changeEndpoint(ctx.db, id, {
      ...(url === undefined ? {} : { url }),
      ...(description === undefined ? {} : { description: description || null }),
      ...(types === undefined ? {} : { types }),
      ...(enabled === undefined ? {} : { enabled }),
      // The 5 days without a success begin again.
      ...(enabled && !endpoint.enabled ? { disabledReason: null, failingSince: null } : {}),
    });
  },
});
