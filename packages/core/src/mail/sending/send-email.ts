import { keyUseOf } from '../../base/idempotency/index.ts';
import { direct, projectOf, senderRefused } from '../../base/kernel/index.ts';
import { readTemplate } from '../../content/templates/index.ts';
import { assertStorage } from '../../people/storage/index.ts';
import { notifyOutbox } from '../ledger/index.ts';
import { acceptRequest } from './accept-request.ts';
import { buildRequest, newBytesOf } from './build-request.ts';
import { pauseFor, pausesOf } from './pause-watch.ts';
import { presentAccepted } from './present-accepted.ts';
import { sendInput, sendOutput } from './sending.schema.ts';

export const sendEmail = direct({
  name: 'sending.send',
  summary: 'Sends a transactional email to one or more recipients and creates or updates their contacts',
  permission: 'mail:send',
  risk: 'mail',
  errors: [
    'BAD_REQUEST',
    'FORBIDDEN',
    'BILLING_LIMIT_EXCEEDED',
    senderRefused,
    'TEMPLATE_NOT_FOUND',
    'CONFLICT',
  ],
  input: sendInput,
  output: sendOutput,
  async handler(ctx, input) {
    const project = projectOf(ctx);
    const { request: built, warnings } = await buildRequest(ctx, project, input, {
      findTemplate: (reference) => readTemplate(ctx.services, { projectId: project.id, reference }),
    });
    const request = { ...built, idempotency: keyUseOf(ctx, 'POST /v1/send') };
    await assertStorage(ctx.services, project.id, newBytesOf(ctx.services, request));
    const [stored, pauses] = await Promise.all([
      acceptRequest(ctx, request, { isStrict: input.strictVariables === true }),
      pausesOf(ctx.services),
    ]);
    const now = new Date();
    const { scheduledAt = null, senderDomain } = request;
    // What is due later is found by the delivery processes themselves.
    if (!scheduledAt) notifyOutbox(ctx.services, project.id);
    const { type } = request.content;
    const pause = pauseFor(pauses, { type, projectId: project.id, domain: senderDomain });
    return {
      emails: presentAccepted(request, stored, { pause, now }),
      timestamp: now,
      ...(warnings.length > 0 && { warnings }),
    };
  },
});
