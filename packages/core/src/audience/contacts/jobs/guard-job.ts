import type { Services } from '../../../base/kernel/index.ts';
import { beginRun, endRun, failJob } from './jobs.store.ts';

/** Runs in a row that are lost with their worker before a job fails. */
const mostLost = 2;
const reason = `The worker was lost ${mostLost} times in a row while it worked on this job`;

/**
 * Runs a part of a job, which is counted while it runs: a run that never returns took its worker down or blocked it, and after
 * `mostLost` of them the job fails instead of doing the same to the next worker. A run that fails with an error does not count, and
 * progress that is stored ends the count.
 *
 * @param ended the result for a job that has ended, or fails here
 */
export async function guardJob<Result>(
  services: Services,
  jobId: string,
  ended: Result,
  run: () => Promise<Result>,
): Promise<Result> {
  const { prisma } = services.database;
  const lost = await beginRun(prisma, jobId);
  if (lost === null) return ended;
  if (lost >= mostLost) {
    services.log.error({ jobId, lost }, 'a job failed because its runs were lost with their worker');
    await failJob(prisma, jobId, reason);
    return ended;
  }
  try {
    const result = await run();
    await endRun(prisma, jobId, 0);
    return result;
  } catch (error) {
    // Without a database this run counts as lost; the next progress ends the count.
    await endRun(prisma, jobId, lost).catch((cause: unknown) =>
      services.log.warn({ err: cause, jobId }, 'a failed run stays counted as lost'),
    );
    throw error;
  }
}
