import type { Services } from '../../base/kernel/index.ts';
import { failWaitingMail, findUnwatched, readWatched, type WatchedRow } from './domains.store.ts';

/** The next check for the watcher of a domain; null when the domain was deleted. Records that the watcher has read it. */
export const readWatchedDomain = (services: Services, domainId: string): Promise<WatchedRow | null> =>
  readWatched(services.database, domainId);

/** Ids of domains whose watcher is missing or late; for `reconcile`. */
export const findUnwatchedDomains = (services: Services, limit = 500): Promise<string[]> =>
  findUnwatched(services.database, limit);

/** Delivery batches per statement; one holds at most the recipients of a request. */
const batchSize = 1_000;

/**
 * Fails the waiting email of a deleted domain, in batches.
 *
 * @param onBatch called after each statement with the number of delivery batches so far; for heartbeats
 * @returns how many delivery batches were waiting
 */
export async function failMailOfRemovedDomain(
  services: Services,
  domainId: string,
  onBatch: (total: number) => void = () => undefined,
): Promise<number> {
  let total = 0;
  for (;;) {
    const failed = await failWaitingMail(services.database.prisma, domainId, batchSize);
    total += failed;
    onBatch(total);
    if (failed < batchSize) return total;
  }
}
