import { AppError, assertPermission, type Context } from '../../base/kernel/index.ts';
import { type ExportRow, readChunk } from './exports.store.ts';
import { getExport, requireExport } from './get-export.ts';

export interface ExportFile {
  name: string;
  /** read from the database while it is sent; fails when the file is removed meanwhile */
  chunks: AsyncGenerator<Buffer>;
}

/**
 * The file of a completed export.
 *
 * @throws AppError RESOURCE_NOT_FOUND for an unknown job, and while there is no file
 */
export async function openExportFile(ctx: Context, jobId: string): Promise<ExportFile> {
  assertPermission(ctx.actor, getExport.permission);
  const job = await requireExport(ctx, jobId);
  if (job.state !== 'completed' || !job.result) {
    throw new AppError('RESOURCE_NOT_FOUND', 'This export has no file', {
      suggestion: 'Wait until the state of the job is completed',
    });
  }
  const name = `${job.input.type}-${job.createdAt.toISOString().slice(0, 10)}.csv`;
  return { name, chunks: chunksOf(ctx, job, job.result.chunks) };
}

async function* chunksOf(ctx: Context, { id }: ExportRow, count: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < count; n += 1) {
    const bytes = await readChunk(ctx.db, id, n);
    if (!bytes) throw new AppError('RESOURCE_NOT_FOUND', 'The file is no longer stored');
    yield bytes;
  }
}
