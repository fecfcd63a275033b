import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { databaseCode, databaseIsAway } from '../../base/db/index.ts';

const retryMs = 200;
const programErrorRetryMs = 2_000;

/** SQLSTATE classes of errors in the values of a statement: cardinality, data, constraint, or raised by a function. */
const wrongValues = /^(21|22|23|P0|PR)/;

/** SQLSTATE of statements that a concurrent one or their time limit ended: the database is there. */
const interrupted = /^(40|55|57014)/;

/** Whether PostgreSQL refused the values of a statement, so that a part of them may be accepted. */
export const isRefused = (error: unknown): boolean => wrongValues.test(databaseCode(error) ?? '');

/** Repeats statements while the database is unavailable, and knows since when it has been available. */
export class DatabaseWatch {
  readonly #log: Logger;
  readonly #stopped: AbortSignal;
  readonly #onAway: () => void;
  #availableSince = performance.now();
  #away = false;

  /**
   * @param stopped ends all repeating: the statements then fail
   * @param onAway called when the database becomes unavailable
   */
  constructor(log: Logger, stopped: AbortSignal, onAway: () => void) {
    this.#onAway = onAway;
    this.#log = log;
    this.#stopped = stopped;
  }

  /** How long the database has been available without interruption, as far as this process has noticed. */
  get availableForMs(): number {
    return this.#away ? 0 : performance.now() - this.#availableSince;
  }

  get away(): boolean {
    return this.#away;
  }

  /** Other processes may have been stopped just like this one: their leases are not to be reaped at once. */
  noticePause(): void {
    this.#availableSince = performance.now();
  }

  async once<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      if (this.#away) {
        this.#away = false;
        this.#availableSince = performance.now();
        this.#log.info('the database is available again');
      }
      return result;
    } catch (error) {
      if (!this.#away && databaseIsAway(error) && !interrupted.test(databaseCode(error) ?? '')) {
        this.#away = true;
        this.#log.warn({ err: error }, 'the database is unavailable; delivery waits for it');
        this.#onAway();
      }
      throw error;
    }
  }

  /** Repeats `work` while the database is unavailable; any other error is thrown. */
  async untilAvailable<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.once(work);
      } catch (error) {
        if (this.#stopped.aborted || !databaseIsAway(error)) throw error;
        await delay(retryMs, undefined, { signal: this.#stopped });
      }
    }
  }

  /**
   * Repeats `work` until the database answers. An error in the values is thrown; any other error of a statement is a fault of the
   * program or its schema, which a restart or a migration mends: it is logged and repeated, since giving up loses email.
   */
  async untilAnswered<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.once(work);
      } catch (error) {
        if (this.#stopped.aborted || isRefused(error)) throw error;
        const away = databaseIsAway(error);
        if (!away) this.#log.error({ err: error }, 'a statement of the ledger failed; it is repeated');
        await delay(away ? retryMs : programErrorRetryMs, undefined, { signal: this.#stopped });
      }
    }
  }
}
