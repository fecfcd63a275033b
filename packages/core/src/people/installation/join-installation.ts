import { hostname } from 'node:os';
import { lastMigration, misfitOf, stoppedText, version } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { dividedAmong, newId, type Share } from '../../base/lib/index.ts';
import { giveUpLateCuts } from '../../base/slices/index.ts';
import type { PresentEpoch } from './epoch.store.ts';
import { type ProcessKind, removeProcess, renewProcess } from './processes.store.ts';

/** As often as delivery processes renew their leases. */
const renewMs = 15_000;

const noInstallation =
  'The database has no row in "Installation": it was restored in another way than by npm run admin -- restore, or that did not end';

export interface JoinOptions {
  kind: ProcessKind;
  /** ends the process at once, because its database was restored: what it remembers is of another state; the text says why */
  onRestored(text: string): void;
  /** ends the process as a signal does, because a later version has changed the database so that this one cannot use it, or because the installation is moved */
  onMisfit(text: string): void;
  /** between two renewals, in milliseconds */
  everyMs?: number;
  /** the clock of the process, in milliseconds since 1970 */
  clock?: () => number;
}

export interface Membership {
  /** its part of a limit that holds for the installation and is counted in memory: as many parts as processes of its kind live */
  share: Share;
  /** Removes the process from those that run. Errors are ignored: its row is no longer renewed. */
  leave(): Promise<void>;
}

/**
 * Makes a process one of those of its installation: others see that it runs, with which version and clock, and it learns of what concerns all of
 * them. While the database is away, or not migrated yet, nothing is known and nothing happens.
 */
export function joinInstallation(
  { database, log }: Pick<Services, 'database' | 'log'>,
  { kind, onRestored, onMisfit, everyMs = renewMs, clock = Date.now }: JoinOptions,
): Membership {
  const id = newId();
  const host = hostname();
  const schema = lastMigration();
  let own: PresentEpoch | undefined;
  let apartMs: number | null = null;
  let processes = 1;
  let isOver = false;
  const end = (how: (text: string) => void, text: string): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    how(text);
  };
  const renew = async (): Promise<void> => {
    const present = { id, kind, host, version, schema: await schema, apartMs };
    const [before, began] = [clock(), performance.now()];
    const renewed = await renewProcess(database, present);
    const { epoch, now, schema: stored } = renewed;
    processes = renewed.processes;
    apartMs = surelyApart(now - before, performance.now() - began);
    if (!epoch) return end(onRestored, noInstallation);
    own ??= epoch;
    if (!isSame(own, epoch))
      return end(onRestored, `The database was restored (epoch ${epoch.epoch}); start again`);
    const misfit = misfitOf(version, stored);
    if (misfit !== null) return end(onMisfit, misfit);
    if (renewed.stoppedAt) return end(onMisfit, stoppedText(renewed.stoppedAt));
    await giveUpLateCuts(database);
  };
  let renewing: Promise<void> | null = null;
  const look = (): void => {
    renewing ??= renew()
      .catch((error: unknown) => log.debug({ err: error }, 'this process was not renewed; it is tried again'))
      .finally(() => {
        renewing = null;
      });
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  look();
  return {
    share: dividedAmong(() => processes),
    async leave() {
      isOver = true;
      clearInterval(timer);
      await renewing;
      await removeProcess(database, id).catch((error: unknown) =>
        log.debug({ err: error }, 'the row of this process was not removed'),
      );
    },
  };
}

/** The database read its clock at some moment of the round trip: what remains of the difference when that was the nearest one. */
function surelyApart(difference: number, tookMs: number): number {
  if (difference < 0) return difference;
  return Math.max(0, difference - tookMs);
}

const isSame = (one: PresentEpoch, other: PresentEpoch): boolean =>
  one.epoch === other.epoch && one.startedAt.getTime() === other.startedAt.getTime();
