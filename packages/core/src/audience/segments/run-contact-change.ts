import type { Db } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import {
  type AddMatchingInput,
  awaitErasures,
  type BulkProgress,
  completeJob,
  failJob,
  findOpenJob,
  isBulkKind,
  lockOpenJob,
  progressOf,
  readJobFile,
  runBulkBatch,
  saveInput,
  saveProgress,
} from '../contacts/index.ts';
import type { FilterTree } from './filters.rules.ts';
import { joinSegment } from './join-segment.ts';
import { addToCount, enter, touchDependents } from './membership.store.ts';
import { findMatchingAfter, lockSegment } from './segments.store.ts';

/** Contacts that one transaction looks at. */
const perTransaction = 5_000;

/** A batch of a change of many contacts, or of adding those that match to a segment. @returns whether there is more to do */
export async function runContactChange(services: Services, jobId: string): Promise<boolean> {
  const { prisma } = services.database;
  const job = await findOpenJob(prisma, jobId);
  if (!job || !isBulkKind(job.kind)) return false;
  if (job.kind !== 'bulk-add') return runBulkBatch(services, jobId, joinSegment);
  const more = await services.jobTurns.run(job.projectId, () =>
    prisma.$transaction((db) => addMatchingBatch(db, jobId), { timeout: 120_000, maxWait: 30_000 }),
  );
  services.scheduleFollowUps(job.projectId);
  return more;
}

/**
 * The next contacts in the order of their creation: those that match now become members. The position is written with them, so that a
 * batch that is repeated goes on after the last one that was committed. `db` must be a transaction.
 */
export async function addMatchingBatch(db: Db, jobId: string): Promise<boolean> {
  const job = await lockOpenJob(db, jobId);
  if (!job) return false;
  const { projectId } = job;
  const input = job.input as AddMatchingInput;
  // Members are written for contacts that were read without a lock.
  await awaitErasures(db, projectId);
  const segment = await lockSegment(db, projectId, input.segmentId);
  const file = await readJobFile(db, jobId);
  if (!segment || !file) {
    await failJob(db, jobId, 'The segment was deleted');
    return false;
  }
  const condition = JSON.parse(file.toString()) as FilterTree;
  const part = await findMatchingAfter(db, projectId, condition, input.after ?? null, perTransaction);
  const change = await enter(db, segment, part.ids);
  await addToCount(db, segment.id, change);
  await touchDependents(db, segment, change);
  const before = job.result as BulkProgress | null;
  const added = (before?.added ?? 0) + change.added;
  const result: BulkProgress = {
    operation: 'add',
    totalRequested: (before?.totalRequested ?? 0) + part.ids.length,
    successCount: added,
    unchangedCount: (before?.unchangedCount ?? 0) + part.ids.length - change.added,
    failureCount: 0,
    errors: [],
    added,
  };
  if (part.next === null) {
    await completeJob(db, jobId, result);
    return false;
  }
  const seen = input.seen + part.seen;
  await saveInput(db, jobId, { ...input, seen, after: part.next });
  await saveProgress(db, jobId, progressOf(seen, Math.max(seen, input.contacts)), result);
  return true;
}
