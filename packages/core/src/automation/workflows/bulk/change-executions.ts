import { audienceSql, segmentExists } from '../../../audience/segments/index.ts';
import { type Db, type Prisma, retryConflicts } from '../../../base/db/index.ts';
import { notifyExecutions } from '../../../base/follow-ups/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { withdrawEmails } from '../../../mail/ledger/index.ts';
import { cancelReasons } from '../exit-reasons.rules.ts';
import { retryFailed } from '../failures/retry.store.ts';
import { endExecutions } from '../runtime/set.store.ts';
import {
  type BulkJob,
  type CancelProgress,
  failBulkJob,
  findOpenBulkJob,
  findOpenBulkJobs,
  lockOpenBulkJob,
  type RetryProgress,
  saveBulkJob,
} from './bulk-jobs.store.ts';
import { readFilter, removeFilter } from './filter-file.store.ts';
import { lockActive, nextActive, nextFailed } from './matching.store.ts';
import { removeNext } from './remove.store.ts';

/** Executions that one transaction looks at. */
export const perTransaction = 2_000;
/** How long one call goes on with further transactions. */
const callMs = 2_000;

/**
 * Cancels, retries or removes the next executions of a job, in transactions of at most 2,000. The position is written with them, so that a
 * repeated call goes on after the last one that was committed.
 *
 * @returns whether there may be more
 */
export async function changeExecutionsBatch(services: Services, jobId: string): Promise<boolean> {
  const { prisma } = services.database;
  const job = await findOpenBulkJob(prisma, jobId);
  if (!job) return false;
  const ends = performance.now() + callMs;
  const transaction = () =>
    prisma.$transaction((db) => changeNext(db, jobId), { timeout: 120_000, maxWait: 30_000 });
  for (;;) {
    const more = await services.jobTurns.run(job.projectId, () => retryConflicts(transaction));
    if (job.kind === 'retry-executions') notifyExecutions(services, job.projectId);
    if (job.kind === 'cancel-executions') services.scheduleFollowUps(job.projectId);
    if (!more || performance.now() >= ends) return more;
  }
}

/** One transaction of a job. `db` must be a transaction. @returns whether there may be more */
async function changeNext(db: Db, jobId: string): Promise<boolean> {
  const job = await lockOpenBulkJob(db, jobId);
  switch (job?.kind) {
    case 'cancel-executions':
      return cancelNext(db, job);
    case 'retry-executions':
      return retryNext(db, job);
    case 'remove-executions':
      return remove(db, job);
    default:
      return false;
  }
}

type JobOf<Kind extends BulkJob['kind']> = Extract<BulkJob, { kind: Kind }>;

async function cancelNext(db: Db, job: JobOf<'cancel-executions'>): Promise<boolean> {
  const { projectId, input } = job;
  const before: CancelProgress = job.result ?? { matched: 0, cancelled: 0, seen: 0, after: null };
  const matches = await condition(db, job);
  if (matches === 'gone') {
    await failBulkJob(db, job.id, 'The segment was deleted');
    return false;
  }
  const part = input.ids
    ? { ids: input.ids, seen: input.ids.length, next: null }
    : await nextActive(db, projectId, input, matches, before.after, perTransaction);
  const ids = await lockActive(db, { projectId, workflowId: input.workflowId }, part.ids);
  await endExecutions(db, ids, cancelReasons.user);
  if (input.withdrawEmails) await withdrawEmails(db, projectId, ids, 'cancelled');
  const result: CancelProgress = {
    matched: before.matched + part.ids.length,
    cancelled: before.cancelled + ids.length,
    seen: before.seen + part.seen,
    after: part.next,
  };
  if (part.next === null && input.hasFilter) await removeFilter(db, job.id);
  await saveBulkJob(db, job, result, part.next === null);
  return part.next !== null;
}

/** Of the contacts, if the job is about some of them. */
async function condition(
  db: Db,
  { id, projectId, input }: JobOf<'cancel-executions'>,
): Promise<Prisma.Sql | null | 'gone'> {
  const { segmentId, hasFilter } = input;
  if (segmentId !== undefined) {
    const exists = await segmentExists(db, projectId, segmentId);
    return exists ? audienceSql(db, projectId, { audienceType: 'SEGMENT', segmentId }) : 'gone';
  }
  if (!hasFilter) return null;
  const audienceCondition = await readFilter(db, id);
  return audienceSql(db, projectId, { audienceType: 'FILTERED', audienceCondition });
}

async function retryNext(db: Db, job: JobOf<'retry-executions'>): Promise<boolean> {
  const { projectId, input } = job;
  const before: RetryProgress = job.result ?? {
    ...{ matched: 0, retried: 0, seen: 0, after: null },
    blocked: { active: 0, gone: 0 },
  };
  const part = await nextFailed(db, projectId, input, before.after, perTransaction);
  const { retried, active, gone } = await retryFailed(
    db,
    { projectId, workflowId: input.workflowId },
    part.ids,
  );
  const result: RetryProgress = {
    matched: before.matched + part.ids.length,
    retried: before.retried + retried.length,
    blocked: { active: before.blocked.active + active, gone: before.blocked.gone + gone },
    seen: before.seen + part.seen,
    after: part.next,
  };
  await saveBulkJob(db, job, result, part.next === null);
  return part.next !== null;
}

async function remove(db: Db, job: JobOf<'remove-executions'>): Promise<boolean> {
  const { projectId, input } = job;
  const removed = await removeNext(db, { projectId, workflowId: input.workflowId }, perTransaction);
  await saveBulkJob(db, job, null, removed === 0);
  return removed > 0;
}

/** A signal to begin arrives within this time. */
const neglectedSeconds = 60;

/** Jobs that are still open after a minute, for `reconcile`. */
export const findOpenExecutionJobs = (services: Services, limit: number): Promise<string[]> =>
  findOpenBulkJobs(services.database.prisma, neglectedSeconds, limit);
