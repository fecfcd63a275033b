import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Written, writeBatches } from '../ledger/index.ts';
import { bisect } from './bisect.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { HeldBatch } from './held-batch.ts';
import type { LedgerConnection } from './ledger-connection.ts';

/** Batches that are answered within this time are written by one statement. */
const intervalMs = 20;
const batchesAtOnce = 200;
const emailsAtOnce = 2_000;

export interface WriterEvents {
  onWritten(batches: readonly HeldBatch[], written: Written): void;
}

/** Writes durable answers into the emails. A write that is lost, or never made, is made by the reaper from the batch's row. */
export class Writer {
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #events: WriterEvents;
  readonly #log: Logger;
  readonly #waiting = new Set<HeldBatch>();
  #running: Promise<void> | null = null;

  constructor(connection: LedgerConnection, watch: DatabaseWatch, events: WriterEvents, log: Logger) {
    this.#connection = connection;
    this.#watch = watch;
    this.#events = events;
    this.#log = log;
  }

  /** Connects, and has the statement planned. */
  async prepare(): Promise<void> {
    await this.#connection.use((client) => writeBatches(client, []));
  }

  add(batch: HeldBatch): void {
    this.#waiting.add(batch);
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#waiting.size > 0) this.add(batch);
    });
  }

  /** Resolves when everything so far is written. */
  async flush(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    await delay(intervalMs);
    while (this.#waiting.size > 0) {
      const batches = this.#next();
      try {
        await bisect(
          batches,
          (part) => this.#write(part, true),
          (culprit, error) => this.#writeWithoutSubjects(culprit, error),
        );
      } catch (error) {
        this.#log.error({ err: error }, 'the results of a delivery could not be written; its lease ends');
      }
    }
  }

  #next(): HeldBatch[] {
    const batches: HeldBatch[] = [];
    let emails = 0;
    for (const batch of this.#waiting) {
      if (batches.length >= batchesAtOnce || emails >= emailsAtOnce) break;
      this.#waiting.delete(batch);
      if (batch.lost) continue;
      batches.push(batch);
      emails += batch.size;
    }
    return batches;
  }

  async #write(batches: readonly HeldBatch[], withSubjects: boolean): Promise<void> {
    if (batches.length === 0) return;
    const durable = batches.map((batch) => batch.durable);
    const rows = batches.map(({ id, token, subjects }) => ({
      id,
      token,
      subjects: withSubjects ? subjects : null,
    }));
    const written = await this.#watch.untilAnswered(() =>
      this.#connection.use((client) => writeBatches(client, rows)),
    );
    batches.forEach((batch, index) => {
      batch.wroteOut(durable[index] ?? 0);
    });
    this.#events.onWritten(batches, written);
  }

  #writeWithoutSubjects(batch: HeldBatch, error: unknown): Promise<void> {
    this.#log.error({ err: error, batchId: batch.id }, 'results could not be written with their subjects');
    return this.#write([batch], false);
  }
}
