import type { Services } from '../../base/kernel/index.ts';
import { type PresentEpoch, readEpoch } from './epoch.store.ts';

/** As often as delivery processes renew their leases. */
const lookMs = 15_000;

const noInstallation =
  'The database has no row in "Installation": it was restored in another way than by npm run admin -- restore, or that did not end';

/**
 * Ends a process whose database was restored: what it remembers is of another state. While the database is away, or not migrated yet, nothing
 * is known and nothing happens.
 *
 * @param onRestored ends the process; the text says why
 * @param everyMs between two looks
 * @returns what stops looking
 */
export function fenceEpoch(
  { database, log }: Pick<Services, 'database' | 'log'>,
  onRestored: (text: string) => void,
  everyMs = lookMs,
): () => void {
  let own: PresentEpoch | undefined;
  const end = (text: string): void => {
    clearInterval(timer);
    onRestored(text);
  };
  const look = async (): Promise<void> => {
    try {
      const present = await readEpoch(database);
      if (!present) return end(noInstallation);
      own ??= present;
      if (!isSame(own, present)) end(`The database was restored (epoch ${present.epoch}); start again`);
    } catch (error) {
      log.debug({ err: error }, 'the epoch of the database was not read; it is looked at again');
    }
  };
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  void look();
  return () => clearInterval(timer);
}

const isSame = (one: PresentEpoch, other: PresentEpoch): boolean =>
  one.epoch === other.epoch && one.startedAt.getTime() === other.startedAt.getTime();
