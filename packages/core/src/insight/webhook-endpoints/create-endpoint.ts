import { command, conflict, projectIdOf, suggestions } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { assertReachable } from './assert-reachable.ts';
import { assertTypesOfFormat } from './assert-types-of-format.ts';
import { everyType } from './event-types.rules.ts';
import { publicKeyIn } from './formats/signing-key.ts';
import { newEndpointSecret } from './secrets.ts';
import { createEndpointInput, endpointLimit, endpointWithSecret } from './webhook-endpoints.schema.ts';
import { countEndpoints, insertEndpoint } from './webhook-endpoints.store.ts';

export const createEndpoint = command({
  name: 'webhooks.create',
  summary: 'Adds a webhook endpoint and returns its secret, which is shown only this once',
  permission: 'webhooks:write',
  risk: 'large',
  errors: ['CONFLICT'],
  input: createEndpointInput,
  output: endpointWithSecret,
  async handler(ctx, { url, description, types = [everyType], format = 'POSTRIDER', enabled = true }) {
    assertReachable(ctx, url);
    assertTypesOfFormat(format, types);
    const projectId = projectIdOf(ctx);
    if ((await countEndpoints(ctx.db, projectId)) >= endpointLimit) {
      throw conflict(`A project has at most ${endpointLimit} webhook endpoints`, {
        suggestion: suggestions.CONFLICT.mostEndpoints,
      });
    }
    const id = newId();
    const secret = newEndpointSecret();
    const row = await insertEndpoint(ctx.db, {
      id,
      projectId,
      url,
      description: description || null,
      types,
      format,
      publicKey: publicKeyIn(format, secret),
      enabled,
      secretCipher: ctx.services.secrets.encrypt(secret, 'WebhookEndpoint.secretCipher', id),
    });
    ctx.audit({ targetType: 'webhookEndpoint', targetId: id });
    return { ...row, secret };
  },
});
