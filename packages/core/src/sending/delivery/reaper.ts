import type { Logger } from 'pino';
import { type Reaped, reapBatches } from '../ledger/reap.store.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { LedgerConnection } from './ledger-connection.ts';

const batchesAtOnce = 100;

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
      const reaped = await this.#watch.once(() =>
        this.#connection.use((client) => reapBatches(client, batchesAtOnce)),
      );
      if (reaped.batches === 0) return;
      const { batches, givenBack, uncertain, emails } = reaped;
      this.#log.warn({ batches, givenBack, uncertain, emails }, 'ended batches of a process that went away');
      this.#onReaped(reaped);
      if (batches < batchesAtOnce) return;
    }
  }
}
