import { insertJobFile, readJobFile, removeJobFile } from '../../../audience/contacts/index.ts';
import type { Db } from '../../../base/db/index.ts';

/** The tree by which a job finds contacts. It is kept apart from the job's parameters, because it may contain addresses, and only while it runs. */
export const storeFilter = (db: Db, job: { id: string; projectId: string }, filter: unknown): Promise<void> =>
  insertJobFile(db, job.id, job.projectId, Buffer.from(JSON.stringify(filter)));

export async function readFilter(db: Db, jobId: string): Promise<unknown> {
  const file = await readJobFile(db, jobId);
  if (!file) throw new Error('the filter of a job is missing');
  return JSON.parse(file.toString());
}

export const removeFilter = (db: Db, jobId: string): Promise<void> => removeJobFile(db, jobId);
