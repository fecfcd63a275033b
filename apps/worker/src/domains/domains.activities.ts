import type { Services } from '@postrider/core/base/kernel';
import { checkDomain, failMailOfRemovedDomain, readWatchedDomain } from '@postrider/core/people/domains';

/** Dates are passed as milliseconds; null when the domain has been removed. */
export type WatchedDomain = { status: 'PENDING' | 'VERIFIED' | 'FAILED'; nextCheckAt: number | null } | null;

export interface DomainActivities {
  readDomain(domainId: string): Promise<WatchedDomain>;
  checkRecords(domainId: string, forced: boolean): Promise<void>;
  failMailOfDomain(domainId: string): Promise<void>;
}

/** @param clock milliseconds since the epoch; tests that skip time pass the clock of their Temporal server */
export function createDomainActivities(
  services: Services,
  clock: () => Promise<number> = async () => Date.now(),
): DomainActivities {
  return {
    async readDomain(domainId) {
      const row = await readWatchedDomain(services, domainId);
      return row ? { status: row.status, nextCheckAt: row.nextCheckAt?.getTime() ?? null } : null;
    },
    async checkRecords(domainId, forced) {
      await checkDomain(services, domainId, { forced, now: new Date(await clock()) });
    },
    async failMailOfDomain(domainId) {
      await failMailOfRemovedDomain(services, domainId);
    },
  };
}
