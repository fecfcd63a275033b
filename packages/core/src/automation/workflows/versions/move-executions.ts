import type { Db } from '../../../base/db/index.ts';
import { notifyExecutions } from '../../../base/follow-ups/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import {
  exitMoved,
  findOpenMoveJob,
  findOpenMoveJobs,
  lockNextAt,
  lockOpenMoveJob,
  type MoveProgress,
  type MoveTask,
  placeMoved,
  retimeMoved,
  saveMoveJob,
} from './move-job.store.ts';

/** Executions per transaction. */
const batch = 2_000;

/**
 * Rewrites the next executions whose place or time a publish has changed. The position is written with them, so that a repeated batch goes
 * on after the last one that was committed.
 *
 * @returns whether there may be more
 */
export async function moveExecutionsBatch(services: Services, jobId: string): Promise<boolean> {
  const { prisma } = services.database;
  const job = await findOpenMoveJob(prisma, jobId);
  if (!job) return false;
  const done = await services.jobTurns.run(job.projectId, () =>
    prisma.$transaction((db) => moveBatch(db, jobId), { timeout: 120_000, maxWait: 30_000 }),
  );
  if (done.rewritten > 0) {
    notifyExecutions(services, job.projectId);
    services.scheduleFollowUps(job.projectId);
  }
  return done.more;
}

/** The batch itself. `db` must be a transaction. */
async function moveBatch(db: Db, jobId: string): Promise<{ rewritten: number; more: boolean }> {
  const job = await lockOpenMoveJob(db, jobId);
  if (!job) return { rewritten: 0, more: false };
  const before: MoveProgress = job.result ?? { matched: 0, changed: 0, task: 0, after: null };
  const task = job.input.tasks[before.task];
  if (!task) {
    await saveMoveJob(db, jobId, before, 100, true);
    return { rewritten: 0, more: false };
  }
  const ids = await lockNextAt(db, job, task, before.after, batch);
  const changed = ids.length === 0 ? 0 : await rewrite(db, task, ids);
  const isDone = ids.length < batch;
  const result = {
    matched: before.matched + ids.length,
    changed: before.changed + changed,
    task: isDone ? before.task + 1 : before.task,
    after: isDone ? null : (ids.at(-1) ?? null),
  };
  const hasEnded = result.task >= job.input.tasks.length;
  const { total } = job.input;
  const percent = total === 0 ? 0 : Math.min(99, Math.floor((result.matched / total) * 100));
  await saveMoveJob(db, jobId, result, hasEnded ? 100 : percent, hasEnded);
  return { rewritten: ids.length, more: !hasEnded };
}

async function rewrite(db: Db, task: MoveTask, ids: readonly string[]): Promise<number> {
  if ('timer' in task) return retimeMoved(db, ids, task.stepId, task.timer);
  if (task.place === null) await exitMoved(db, ids);
  else await placeMoved(db, ids, task.place);
  return ids.length;
}

/** A signal to begin arrives within this time. */
const neglectedSeconds = 60;

/** Jobs that are still open after a minute, for `reconcile`. */
export const findOpenMoves = (services: Services, limit: number): Promise<string[]> =>
  findOpenMoveJobs(services.database.prisma, neglectedSeconds, limit);
