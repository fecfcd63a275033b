import type { Services } from '../kernel/index.ts';
import { failWaitingMail, findUnwatched, readWatched, type WatchedRow } from './domains.store.ts';

/** What the watcher of a domain must do next; null when the domain is gone. Notes that it was looked at. */
export const readWatchedDomain = (services: Services, domainId: string): Promise<WatchedRow | null> =>
  readWatched(services.database, domainId);

/** Ids of domains that nobody watches although somebody should; for `reconcile`. */
export const findUnwatchedDomains = (services: Services, limit = 500): Promise<string[]> =>
  findUnwatched(services.database, limit);

const batchSize = 5_000;

/**
 * Fails what still waits to be sent from a domain that is gone, in batches.
 *
 * @param onBatch called after each batch with the number so far; for heartbeats
 * @returns how many emails were waiting
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
