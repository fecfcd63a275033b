import { z } from 'zod';
import { command, recordId } from '../../base/kernel/index.ts';
import { findLeaders } from '../../people/domains/index.ts';
import { endpointDisabledMail, endpointDisabledReasons } from './disabled-mail.ts';
import { markDisabled } from './webhook-endpoints.store.ts';

/** Disables an endpoint that is gone or has been failing, and notifies the leaders of its project (behaviour B11.3). */
export const disableEndpoint = command({
  name: 'webhooks.disable',
  summary: 'Disables a webhook endpoint that does not accept events',
  permission: 'internal',
  risk: 'large',
  internal: true,
  allowDisabled: true,
  input: z.object({
    id: recordId.describe('Id of the endpoint.'),
    reason: z.enum(endpointDisabledReasons).describe('Why it is disabled.'),
  }),
  output: z.object({ changed: z.boolean().describe('False when it was disabled already.') }),
  async handler(ctx, { id, reason }) {
    const endpoint = await markDisabled(ctx.db, id, reason);
    if (!endpoint) return { changed: false };
    const { platformMail, config } = ctx.services;
    for (const to of await findLeaders(ctx.db, endpoint.projectId))
      await platformMail.write(ctx.db, endpointDisabledMail(config, to, endpoint, reason));
    ctx.audit({
      targetType: 'webhookEndpoint',
      targetId: id,
      projectId: endpoint.projectId,
      changed: ['enabled'],
    });
    ctx.afterCommit(() => platformMail.notify());
    return { changed: true };
  },
});
