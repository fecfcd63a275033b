import { AppError, assertPermission, type Context } from '../../../base/kernel/index.ts';
import { getContactImport } from '../jobs/get-job.ts';
import { nextFailedRows } from './failed-rows.store.ts';

export interface FailedRowsFile {
  name: string;
  /** read from the database while it is sent */
  chunks: AsyncGenerator<Buffer>;
}

/**
 * The rows that an import has not taken so far, as CSV.
 *
 * @throws AppError RESOURCE_NOT_FOUND for an unknown job, and while no row has failed
 */
export async function openFailedRows(ctx: Context, jobId: string): Promise<FailedRowsFile> {
  assertPermission(ctx.actor, getContactImport.permission);
  const { id, createdAt } = await getContactImport.run(ctx, { jobId });
  const first = await nextFailedRows(ctx.db, id, 0);
  if (!first) throw new AppError('RESOURCE_NOT_FOUND', 'This import has no failed rows');
  return { name: `failed-rows-${createdAt.slice(0, 10)}.csv`, chunks: partsFrom(ctx, id, first) };
}

async function* partsFrom(
  ctx: Context,
  jobId: string,
  first: { n: number; bytes: Buffer },
): AsyncGenerator<Buffer> {
  for (let part: typeof first | null = first; part; part = await nextFailedRows(ctx.db, jobId, part.n))
    yield part.bytes;
}
