import type { Services } from '../../base/kernel/index.ts';
import { failExport, findNeglectedExports } from './exports.store.ts';

/** A signal to start a job arrives within this time. */
const neglectedSeconds = 60;

/** Ids of exports that are still open after a minute, for `reconcile`. */
export const findOpenExports = (services: Services, limit: number): Promise<string[]> =>
  findNeglectedExports(services.database.prisma, neglectedSeconds, limit);

/** Fails an export that cannot be completed. @param reason for the user; by default that of an internal error */
export const giveUpExport = (
  services: Services,
  jobId: string,
  reason = 'An unexpected error occurred. Start it again',
): Promise<void> => failExport(services.database.prisma, jobId, reason);
