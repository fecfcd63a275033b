import type { Db } from '../../../base/db/index.ts';
import type { BulkInput } from '../jobs/jobs.rules.ts';
import { insertJobFile, readJobFile, removeJobFile, saveInput } from '../jobs/jobs.store.ts';
import type { Selection, WalkPosition } from './selection.rules.ts';
import { listPart, presentMoment } from './selection.store.ts';

/** The list of a small project is complete with the request; its time is bounded whatever the project is. */
const withRequest = 5_000;
const perPart = 50_000;

interface BulkJob {
  id: string;
  projectId: string;
}

/**
 * Begins the list of a bulk change by query. What is left of it is taken down by the job, from the selection that is stored for that long,
 * apart from the job's parameters, because it may contain addresses.
 */
export async function selectContacts(
  db: Db,
  { id: jobId, projectId }: BulkJob,
  query: Omit<Selection, 'at'>,
): Promise<BulkInput> {
  const selection: Selection = { ...query, at: await presentMoment(db) };
  const { added, next } = await listPart(db, {
    ...{ jobId, projectId, selection },
    after: null,
    limit: withRequest,
  });
  if (next === null) return { total: added };
  await insertJobFile(db, jobId, projectId, Buffer.from(JSON.stringify(selection)));
  return { total: added, listedTo: next };
}

/** Takes down the next part of the list. `db` must be the transaction that has locked the job. */
export async function selectMoreContacts(
  db: Db,
  { id: jobId, projectId }: BulkJob,
  { total, listedTo, ...rest }: BulkInput & { listedTo: WalkPosition },
): Promise<void> {
  const stored = await readJobFile(db, jobId);
  if (!stored) throw new Error('The selection of a bulk change is missing');
  const selection = JSON.parse(stored.toString()) as Selection;
  const { added, next } = await listPart(db, {
    ...{ jobId, projectId, selection },
    after: listedTo,
    limit: perPart,
  });
  await saveInput(db, jobId, { ...rest, total: total + added, ...(next && { listedTo: next }) });
  if (next === null) await removeJobFile(db, jobId);
}
