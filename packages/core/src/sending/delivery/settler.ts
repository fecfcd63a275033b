import {
  addToCounters,
  applyHardBounces,
  type CounterDelta,
  type Settlement,
  settle,
} from '../ledger/settle.store.ts';
import { type LedgerConnection, untilDatabaseAnswers } from './ledger-connection.ts';

const intervalMs = 25;
const batchLimit = 2_000;

interface Waiting extends Settlement {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Writes results in groups. While the database is unavailable, they stay in memory and are written with their fence later.
 */
export class Settler {
  readonly #durable: LedgerConnection;
  readonly #asyncCommit: LedgerConnection;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;

  constructor(durable: LedgerConnection, asyncCommit: LedgerConnection) {
    this.#durable = durable;
    this.#asyncCommit = asyncCommit;
  }

  /** Resolves once the result is written. */
  settle(settlement: Settlement): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...settlement, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchLimit);
      this.#waiting = this.#waiting.slice(batchLimit);
      await this.#writeOut(batch);
    }
    this.#running = null;
    if (this.#waiting.length > 0) this.#running = this.#run();
  }

  /** A result that the database refuses must not fail the others: the batch is halved until the result is alone. */
  async #writeOut(batch: readonly Waiting[]): Promise<void> {
    try {
      const deltas = await untilDatabaseAnswers(() => this.#write(batch));
      if (deltas.length > 0) {
        await untilDatabaseAnswers(() => this.#asyncCommit.use((client) => addToCounters(client, deltas)));
      }
      for (const one of batch) one.resolve();
    } catch (error) {
      if (batch.length === 1) {
        batch[0]?.reject(error);
        return;
      }
      const half = Math.ceil(batch.length / 2);
      await this.#writeOut(batch.slice(0, half));
      await this.#writeOut(batch.slice(half));
    }
  }

  #write(batch: readonly Settlement[]): Promise<CounterDelta[]> {
    return this.#durable.use(async (client) => {
      if (!batch.some((row) => row.hardBounce)) return (await settle(client, batch)).deltas;
      await client.query('BEGIN');
      const { deltas, hardBounced } = await settle(client, batch);
      if (hardBounced.length > 0) await applyHardBounces(client, hardBounced);
      await client.query('COMMIT');
      return deltas;
    });
  }
}
