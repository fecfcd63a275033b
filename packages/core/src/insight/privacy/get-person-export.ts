import { AppError, type Context, projectIdOf, query } from '../../base/kernel/index.ts';
import { isUuid } from '../../base/lib/index.ts';
import { findPersonExport, type PersonExportRow } from './person-exports.store.ts';
import { presentPersonExport } from './present-person-export.ts';
import { personExportInput, personExportJob } from './privacy.schema.ts';

export const getPersonExport = query({
  name: 'privacy.getExport',
  summary: 'Returns the progress of the export of a person',
  permission: 'privacy:manage',
  errors: ['RESOURCE_NOT_FOUND'],
  input: personExportInput,
  output: personExportJob,
  handler: async (ctx, { jobId }) => presentPersonExport(ctx.services, await requirePersonExport(ctx, jobId)),
});

/** Job ids are opaque (behaviour B2.12): a malformed one is unknown, not invalid. @throws AppError RESOURCE_NOT_FOUND */
export async function requirePersonExport(ctx: Context, jobId: string): Promise<PersonExportRow> {
  const job = isUuid(jobId) ? await findPersonExport(ctx.db, projectIdOf(ctx), jobId) : null;
  if (!job) throw new AppError('RESOURCE_NOT_FOUND', 'Job not found');
  return job;
}
