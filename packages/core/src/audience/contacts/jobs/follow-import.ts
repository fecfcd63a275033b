import type { z } from 'zod';
import type { Context } from '../../../base/kernel/index.ts';
import { follow, topics } from '../../../base/live/index.ts';
import { getContactImport } from './get-job.ts';
import type { importJob } from './jobs.schema.ts';

/**
 * An import, now and after each change, until it has ended.
 *
 * @throws AppError as `getContactImport` and `openStream` do
 */
export const followImport = (
  ctx: Context,
  jobId: string,
): Promise<AsyncIterableIterator<z.output<typeof importJob>>> =>
  follow(ctx, {
    topic: topics.job(jobId),
    read: () => getContactImport.run(ctx, { jobId }),
    isLast: ({ state }) => state === 'completed' || state === 'failed',
  });
