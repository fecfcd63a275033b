import { type Beginning, recordDataStarted } from '../ledger/record.store.ts';
import type { LedgerConnection } from './ledger-connection.ts';

interface Waiting extends Beginning {
  resolve(mayGoOut: boolean): void;
  reject(error: unknown): void;
}

/**
 * Natural group commit: requests that arrive during one write form the next. (An artificial delay was
 * measured to be slower.)
 */
export class Recorder {
  readonly #connection: LedgerConnection;
  #waiting: Waiting[] = [];
  #writing = false;

  constructor(connection: LedgerConnection) {
    this.#connection = connection;
  }

  /** Resolves to true once the beginning of this message's transfer is durably recorded; false if the fence is refused. */
  record(beginning: Beginning): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...beginning, resolve, reject });
      if (!this.#writing) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#writing = true;
    // Waits one turn of the event loop, so that all connections whose 354 arrived together share the first write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const granted = await this.#connection.use((client) => recordDataStarted(client, batch));
        for (const one of batch) one.resolve(granted.has(one.id));
      } catch (error) {
        for (const one of batch) one.reject(error);
      }
    }
    this.#writing = false;
  }
}
