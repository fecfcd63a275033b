import { AppError, assertPermission, type Context } from '../../base/kernel/index.ts';
import { readChunk } from '../exports/index.ts';
import { getPersonExport, requirePersonExport } from './get-person-export.ts';

export interface PersonFile {
  name: string;
  /** read from the database while it is sent; fails when the file is removed meanwhile */
  chunks: AsyncGenerator<Buffer>;
}

/**
 * The document of a completed export. Its name says nothing about the person.
 *
 * @throws AppError RESOURCE_NOT_FOUND for an unknown job, and while there is no document
 */
export async function openPersonFile(ctx: Context, jobId: string): Promise<PersonFile> {
  assertPermission(ctx.actor, getPersonExport.permission);
  const job = await requirePersonExport(ctx, jobId);
  if (job.state !== 'completed' || !job.result) {
    throw new AppError('RESOURCE_NOT_FOUND', 'This export has no file', {
      suggestion: 'Wait until the state of the job is completed',
    });
  }
  const name = `person-${job.id}.json`;
  return { name, chunks: chunksOf(ctx, job.id, job.result.chunks) };
}

async function* chunksOf(ctx: Context, id: string, count: number): AsyncGenerator<Buffer> {
  for (let n = 0; n < count; n += 1) {
    const bytes = await readChunk(ctx.db, id, n);
    if (!bytes) throw new AppError('RESOURCE_NOT_FOUND', 'The file is no longer stored');
    yield bytes;
  }
}
