import { AppError, command, newId, projectIdOf } from '../../kernel/index.ts';
import { importContactsJob } from '../contacts.jobs.ts';
import { importInput, importLimitBytes, queuedJob } from '../jobs/jobs.schema.ts';
import { insertJob, insertJobFile } from '../jobs/jobs.store.ts';

export const startContactImport = command({
  name: 'contacts.import',
  summary: 'Imports contacts from a CSV file in the background',
  permission: 'data:write',
  input: importInput,
  output: queuedJob,
  async handler(ctx, { csv, subscribed = true }) {
    const bytes = typeof csv === 'string' ? Buffer.from(csv) : csv;
    if (bytes.length > importLimitBytes) throw importTooLarge();
    const projectId = projectIdOf(ctx);
    const jobId = newId();
    await insertJob(ctx.db, { id: jobId, projectId, kind: 'import', input: { subscribed } });
    await insertJobFile(ctx.db, jobId, projectId, bytes);
    ctx.audit({ targetType: 'job', targetId: jobId });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(importContactsJob, { jobId }));
    return { message: 'Import queued', jobId };
  },
});

export const importTooLarge = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The CSV file is larger than 5 MB', {
    kind: 'too_large',
    suggestion: 'Split the file and repeat the header in each part',
  });
