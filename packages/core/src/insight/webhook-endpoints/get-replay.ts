import { AppError, projectIdOf, query } from '../../base/kernel/index.ts';
import { isUuid } from '../../base/lib/index.ts';
import { presentReplay } from './present-replay.ts';
import { findReplay } from './replays.store.ts';
import { replayJob, replayJobInput } from './webhook-endpoints.schema.ts';

export const getWebhookReplay = query({
  name: 'webhooks.getReplay',
  summary: 'Returns the progress and result of a replay',
  permission: 'webhooks:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: replayJobInput,
  output: replayJob,
  async handler(ctx, { id, jobId }) {
    const place = { projectId: projectIdOf(ctx), endpointId: id, id: jobId };
    // Job ids are opaque (behaviour B2.12): a malformed one is unknown, not invalid.
    const job = isUuid(jobId) ? await findReplay(ctx.db, place) : null;
    if (!job) throw new AppError('RESOURCE_NOT_FOUND', 'Job not found');
    return presentReplay(job);
  },
});
