import type { Services } from '../../kernel/index.ts';
import { bulkKinds, type JobKind } from './jobs.rules.ts';
import { failJob, findOpenJobs, removeEndedJobs } from './jobs.store.ts';

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

const keptMs = 7 * 86_400_000;

/** Removes a batch of jobs that ended a week ago (behaviour B8.5). @returns how many */
export const sweepJobs = (services: Services, now: Date, limit: number): Promise<number> =>
  removeEndedJobs(services.database.prisma, new Date(now.getTime() - keptMs), limit);
