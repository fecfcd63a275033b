import { renewLeases } from '../ledger/index.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { HeldBatch } from './held-batch.ts';
import type { Holdings } from './holdings.ts';
import type { LedgerConnection } from './ledger-connection.ts';

/** Renews the leases of all held batches with one statement. */
export class LeaseKeeper {
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #holdings: Holdings;
  readonly #leaseMs: number;
  readonly #onLost: (batch: HeldBatch) => void;
  #renewing: Promise<void> | null = null;

  constructor(
    connection: LedgerConnection,
    watch: DatabaseWatch,
    holdings: Holdings,
    leaseMs: number,
    onLost: (batch: HeldBatch) => void,
  ) {
    this.#connection = connection;
    this.#watch = watch;
    this.#holdings = holdings;
    this.#leaseMs = leaseMs;
    this.#onLost = onLost;
  }

  /** Rejects when the database does not answer. Simultaneous calls share one statement. */
  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    // A batch that is answered durably needs no lease: every process would write the same results.
    const batches = this.#holdings.all.filter((batch) => !batch.isAnswered);
    if (batches.length === 0) return;
    const askedAt = performance.now();
    const held = await this.#watch.once(() =>
      this.#connection.use((client) => renewLeases(client, batches, this.#leaseMs)),
    );
    for (const batch of batches) {
      if (held.get(batch.id) === batch.token) batch.renewed(askedAt, this.#leaseMs);
      else if (!batch.isAnswered) this.#onLost(batch);
    }
  }
}
