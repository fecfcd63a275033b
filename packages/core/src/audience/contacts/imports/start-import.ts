import type { Db } from '../../../base/db/index.ts';
import { AppError, command, conflict, projectIdOf } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { authorOf } from '../../../people/audit/index.ts';
import { assertStorage } from '../../../people/storage/index.ts';
import { importContactsJob } from '../contacts.jobs.ts';
import { importInput, importLimitBytes, queuedJob } from '../jobs/jobs.schema.ts';
import { insertJob, storeImportFile } from '../jobs/jobs.store.ts';
import { typeOfSegment } from './import.store.ts';

export const startContactImport = command({
  name: 'contacts.import',
  summary: 'Imports contacts from a CSV file in the background',
  permission: 'data:write',
  errors: ['SEGMENT_NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
  input: importInput,
  output: queuedJob,
  async prepare(ctx, { csv, segmentId }) {
    const bytes = typeof csv === 'string' ? Buffer.from(csv) : csv;
    if (bytes.length > importLimitBytes) throw importTooLarge();
    const projectId = projectIdOf(ctx);
    if (segmentId !== undefined) await assertStaticSegment(ctx.db, projectId, segmentId);
    await assertStorage(ctx.services, projectId, bytes.length);
    const jobId = newId();
    await storeImportFile(ctx.services.database, { jobId, projectId, bytes });
    return jobId;
  },
  async handler(ctx, { subscribed = true, mapping, segmentId, fileName }, jobId) {
    const projectId = projectIdOf(ctx);
    if (segmentId !== undefined) await assertStaticSegment(ctx.db, projectId, segmentId);
    const input = { subscribed, ...(mapping && { mapping }), ...(segmentId !== undefined && { segmentId }) };
    const author = { ...authorOf(ctx.actor), fileName: fileName || null };
    await insertJob(ctx.db, { id: jobId, projectId, kind: 'import', input, ...author });
    ctx.audit({ targetType: 'job', targetId: jobId });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(importContactsJob, { jobId }));
    return { message: 'Import queued', jobId };
  },
});

/** @throws AppError SEGMENT_NOT_FOUND, or CONFLICT for a segment whose members its condition decides */
async function assertStaticSegment(db: Db, projectId: string, id: string): Promise<void> {
  const type = await typeOfSegment(db, projectId, id);
  if (type === null) throw new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
  if (type !== 'STATIC') throw conflict('The members of a dynamic segment are determined by its condition');
}

export const importTooLarge = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The CSV file is larger than 5 MB', {
    kind: 'too_large',
    suggestion: 'Split the file and repeat the header in each part',
  });
