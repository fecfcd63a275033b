import { z } from 'zod';
import { AppError, assertPermission, type Context, parseInput } from '../../base/kernel/index.ts';
import { queryBoolean } from '../../base/kernel/schemas.ts';
import { byteOrderMark } from '../../base/lib/index.ts';
import { readChunk } from './export-jobs.store.ts';
import type { ExportRow } from './exports.store.ts';
import { getExport, requireExport } from './get-export.ts';

export interface ExportFile {
  name: string;
  /** read from the database while it is sent; fails when the file is removed meanwhile */
  chunks: AsyncGenerator<Buffer>;
}

export const exportFileInput = z.object({
  bom: queryBoolean('bom').describe(
    'Begins the file with a byte order mark, by which spreadsheets recognise UTF-8. Default false.',
  ),
});

/**
 * The file of a completed export.
 *
 * @param query of the request
 * @throws AppError RESOURCE_NOT_FOUND for an unknown job, and while there is no file
 */
export async function openExportFile(ctx: Context, jobId: string, query: unknown = {}): Promise<ExportFile> {
  assertPermission(ctx.actor, getExport.permission);
  const { bom } = parseInput(exportFileInput, query);
  const job = await requireExport(ctx, jobId);
  if (job.state !== 'completed' || !job.result) {
    throw new AppError('RESOURCE_NOT_FOUND', 'This export has no file', {
      suggestion: 'Wait until the state of the job is completed',
    });
  }
  const name = `${job.input.type}-${job.createdAt.toISOString().slice(0, 10)}.csv`;
  return { name, chunks: chunksOf(ctx, job, job.result.chunks, bom === true) };
}

async function* chunksOf(
  ctx: Context,
  { id }: ExportRow,
  count: number,
  marked: boolean,
): AsyncGenerator<Buffer> {
  if (marked) yield Buffer.from(byteOrderMark);
  for (let n = 0; n < count; n += 1) {
    const bytes = await readChunk(ctx.db, id, n);
    if (!bytes) throw new AppError('RESOURCE_NOT_FOUND', 'The file is no longer stored');
    yield bytes;
  }
}
