import { AppError, assertPermission, type Context, projectIdOf, query } from '../../base/kernel/index.ts';
import { isUuid } from '../../base/lib/index.ts';
import { exportJob, exportJobInput } from './exports.schema.ts';
import { type ExportRow, findExport } from './exports.store.ts';
import { permissionOf } from './permission-of.ts';
import { presentExport } from './present-export.ts';

export const getExport = query({
  name: 'exports.get',
  summary: 'Returns the progress and result of an export',
  permission: 'data:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: exportJobInput,
  output: exportJob,
  handler: async (ctx, { jobId }) => presentExport(ctx.services, await requireExport(ctx, jobId)),
});

/** An export, if the caller may read its records. Job ids are opaque (behaviour B2.12): a malformed one is unknown, not invalid. */
export async function requireExport(ctx: Context, jobId: string): Promise<ExportRow> {
  const job = isUuid(jobId) ? await findExport(ctx.db, projectIdOf(ctx), jobId) : null;
  if (!job) throw new AppError('RESOURCE_NOT_FOUND', 'Job not found');
  const permission = permissionOf(job.input.type);
  if (permission) assertPermission(ctx.actor, permission);
  return job;
}
