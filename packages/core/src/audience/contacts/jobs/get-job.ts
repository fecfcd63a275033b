import type { z } from 'zod';
import { AppError, type Context, projectIdOf, query } from '../../../base/kernel/index.ts';
import { isUuid } from '../../../base/lib/index.ts';
import {
  type BulkProgress,
  bulkKinds,
  emptyImport,
  type ImportProgress,
  type JobKind,
} from './jobs.rules.ts';
import { bulkJob, importJob, jobIdInput } from './jobs.schema.ts';
import { findJob, type JobRow } from './jobs.store.ts';

export const getContactImport = query({
  name: 'contacts.getImport',
  summary: 'Returns the progress and result of an import',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: jobIdInput,
  output: importJob,
  async handler(ctx, { jobId }): Promise<z.input<typeof importJob>> {
    const job = await requireJob(ctx, jobId, ['import']);
    const result = resultOf<ImportProgress>(job);
    return { ...(await presented(ctx, job)), result: result && { ...emptyImport, ...result } };
  },
});

export const getContactBulkJob = query({
  name: 'contacts.getBulkJob',
  summary: 'Returns the progress and result of a bulk change',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: jobIdInput,
  output: bulkJob,
  async handler(ctx, { jobId }): Promise<z.input<typeof bulkJob>> {
    const job = await requireJob(ctx, jobId, bulkKinds);
    return { ...(await presented(ctx, job)), result: resultOf<BulkProgress>(job) };
  },
});

/** Job ids are opaque (behaviour B2.12): a malformed one is unknown, not invalid. */
async function requireJob(ctx: Context, jobId: string, kinds: readonly JobKind[]): Promise<JobRow> {
  const job = isUuid(jobId) ? await findJob(ctx.db, projectIdOf(ctx), jobId, kinds) : null;
  if (!job) throw new AppError('RESOURCE_NOT_FOUND', 'Job not found');
  return job;
}

const presented = async ({ services }: Context, job: JobRow) => ({
  ...job,
  waitsFor: await services.engine.holdUpOf(job.state === 'waiting'),
});

/** The counts of a running job are its position, not yet a result. */
const resultOf = <Result>({ state, result }: JobRow): Result | null =>
  state === 'completed' ? (result as Result | null) : null;
