import type { Services } from '../../../base/kernel/index.ts';
import { bulkKinds, type JobKind } from './jobs.rules.ts';
import { failJob, findOpenJobs, removeEndedJobs, removeLostFiles } from './jobs.store.ts';

/** A signal to start a job arrives within this time. */
const neglectedSeconds = 60;

/** Jobs that are still open after a minute, for `reconcile`. */
export const findOpenContactJobs = (
  services: Services,
  limit: number,
): Promise<{ id: string; kind: JobKind }[]> =>
  findOpenJobs(services.database.prisma, ['import', ...bulkKinds], neglectedSeconds, limit);

/** Fails a job that cannot be completed. @param reason for the user; by default that of an internal error */
export const giveUpContactJob = (
  services: Services,
  jobId: string,
  reason = 'An unexpected error occurred. Start it again',
): Promise<void> => failJob(services.database.prisma, jobId, reason);

/** Jobs are kept for a week after they have ended (behaviour B8.5). */
export const jobKeptMs = 7 * 86_400_000;

/** Long after a request that stores a file has ended. */
const lostMs = 3_600_000;

/** Removes a batch of jobs that ended a week ago (behaviour B8.5), and of files without a job. @returns how many, of what there is more of */
export async function sweepJobs(services: Services, now: Date, limit: number): Promise<number> {
  const { prisma } = services.database;
  const jobs = await removeEndedJobs(prisma, new Date(now.getTime() - jobKeptMs), limit);
  const files = await removeLostFiles(prisma, new Date(now.getTime() - lostMs), limit);
  return Math.max(jobs, files);
}
