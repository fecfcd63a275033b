import { command, projectIdOf } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { countRange } from './deliveries.store.ts';
import { presentReplay } from './present-replay.ts';
import { insertReplay, type StoredRange } from './replays.store.ts';
import { requireEnabledEndpoint } from './require-endpoint.ts';
import { replayJob, replayRangeInput } from './webhook-endpoints.schema.ts';

export const replayWebhookDeliveries = command({
  name: 'webhooks.replay',
  summary: 'Queues the deliveries of a period again, in the background',
  permission: 'webhooks:write',
  risk: 'large',
  errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: replayRangeInput,
  output: replayJob,
  async handler(ctx, { id, from, to, types, failedOnly = false }) {
    await requireEnabledEndpoint(ctx, id);
    const projectId = projectIdOf(ctx);
    const given = { types: types ?? null, failedOnly };
    const input: StoredRange = { endpointId: id, from: from.toISOString(), to: to.toISOString(), ...given };
    const matched = await countRange(ctx.db, { projectId, endpointId: id, from, to, ...given });
    const job = { id: newId(), projectId, input, result: { matched, replayed: 0, after: null } };
    const { createdAt } = await insertReplay(ctx.db, job);
    ctx.audit({ targetType: 'job', targetId: job.id });
    return presentReplay({
      ...job,
      state: 'waiting',
      progress: 0,
      failedReason: null,
      createdAt,
      completedAt: null,
    });
  },
});
