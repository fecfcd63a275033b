import { command, projectIdOf } from '../../base/kernel/index.ts';
import { publicKeyIn } from './formats/signing-key.ts';
import { endpointNotFound } from './require-endpoint.ts';
import { newEndpointSecret, rotationMs } from './secrets.ts';
import { endpointIdInput, endpointWithSecret } from './webhook-endpoints.schema.ts';
import { changeEndpoint, lockEndpoint } from './webhook-endpoints.store.ts';

export const rotateEndpointSecret = command({
  name: 'webhooks.rotateSecret',
  summary: 'Replaces the secret of a webhook endpoint; the former one also signs for 24 hours',
  permission: 'webhooks:write',
  risk: 'large',
  allowDisabled: true,
  errors: ['RESOURCE_NOT_FOUND'],
  input: endpointIdInput,
  output: endpointWithSecret,
  async handler(ctx, { id }) {
    const endpoint = await lockEndpoint(ctx.db, projectIdOf(ctx), id);
    if (!endpoint) throw endpointNotFound();
    const { secrets } = ctx.services;
    const former = secrets.decrypt(endpoint.secretCipher, 'WebhookEndpoint.secretCipher', id);
    const secret = newEndpointSecret();
    const row = await changeEndpoint(ctx.db, id, {
      publicKey: publicKeyIn(endpoint.format, secret),
      secretCipher: secrets.encrypt(secret, 'WebhookEndpoint.secretCipher', id),
      previousSecretCipher: secrets.encrypt(former, 'WebhookEndpoint.previousSecretCipher', id),
      previousSecretUntil: new Date(Date.now() + rotationMs),
    });
    ctx.audit({ targetType: 'webhookEndpoint', targetId: id, changed: ['secret'] });
    return { ...row, secret };
  },
});
