import type { Logger } from 'pino';
import { wasCanceled } from '../../base/db/index.ts';
import { endLeases, expiredBatches, postponeReaping, type Reaped, reapBatches } from '../ledger/index.ts';
import { bisect } from './bisect.ts';
import { type DatabaseWatch, isRefused } from './database-watch.ts';
import type { LedgerConnection } from './ledger-connection.ts';

const batchesAtOnce = 100;
/** A batch that PostgreSQL refuses to write is tried again after this time. */
const refusedMs = 10 * 60_000;

/** Whether fewer batches may succeed: the values of one are refused, or all of them take too long. */
const isTooMuch = (error: unknown): boolean => isRefused(error) || wasCanceled(error);

/** Ends the batches of processes that went away, of any project. */
export class Reaper {
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #graceMs: number;
  readonly #onReaped: (reaped: Reaped) => void;
  readonly #log: Logger;

  /** @param graceMs after an outage of the database all leases are over: time for their holders to renew them */
  constructor(
    connection: LedgerConnection,
    watch: DatabaseWatch,
    graceMs: number,
    onReaped: (reaped: Reaped) => void,
    log: Logger,
  ) {
    this.#connection = connection;
    this.#watch = watch;
    this.#graceMs = graceMs;
    this.#onReaped = onReaped;
    this.#log = log;
  }

  async reap(): Promise<void> {
    while (this.#watch.availableForMs > this.#graceMs) {
      if ((await this.#reapSome()) === 0) return;
    }
  }

  /** Ends the batches of holders that are known to be gone, without waiting for their leases to expire. */
  async takeOver(workers: readonly string[]): Promise<void> {
    const ids = await this.#watch.once(() => this.#connection.use((client) => endLeases(client, workers)));
    for (let at = 0; at < ids.length; at += batchesAtOnce) {
      const part = ids.slice(at, at + batchesAtOnce);
      while ((await this.#endEach(part)) > 0);
    }
  }

  /** @returns the number of batches that were ended */
  async #reapSome(): Promise<number> {
    try {
      return await this.#end(null);
    } catch (error) {
      if (!isTooMuch(error)) throw error;
    }
    const expired = await this.#watch.once(() =>
      this.#connection.use((client) => expiredBatches(client, batchesAtOnce)),
    );
    return this.#endEach(expired);
  }

  async #endEach(batchIds: readonly string[]): Promise<number> {
    const parts = await bisect(
      batchIds,
      (ids) => this.#end(ids),
      (id, error) => this.#postpone(id, error),
      isTooMuch,
    );
    return parts.reduce((sum, batches) => sum + batches, 0);
  }

  async #end(ids: readonly string[] | null): Promise<number> {
    const reaped = await this.#watch.once(() =>
      this.#connection.use((client) => reapBatches(client, batchesAtOnce, ids)),
    );
    const { batches, givenBack, uncertain, emails } = reaped;
    if (batches === 0) return 0;
    this.#log.warn({ batches, givenBack, uncertain, emails }, 'ended batches of a process that went away');
    this.#onReaped(reaped);
    return batches;
  }

  async #postpone(batchId: string, error: unknown): Promise<number> {
    this.#log.error({ err: error, batchId }, 'a batch could not be ended; it is tried again later');
    await this.#watch.once(() =>
      this.#connection.use((client) => postponeReaping(client, batchId, refusedMs)),
    );
    return 0;
  }
}
