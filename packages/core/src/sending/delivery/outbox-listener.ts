import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openClient } from '../../db/index.ts';
import type { Kind } from './held-batch.ts';

/** The PostgreSQL channel for notifications of new email. */
export const outboxChannel = 'postrider_outbox';

const bulkSuffix = ' bulk';

/** The payload is the project's id, for campaigns with a suffix. */
export const payloadOf = (projectId: string, kind: Kind): string =>
  kind === 'bulk' ? `${projectId}${bulkSuffix}` : projectId;

const reconnectMs = 500;
const checkMs = 10_000;

/** Listens for new email. While the connection is broken, the poll finds it. */
export class OutboxListener {
  readonly #url: string;
  readonly #onDue: (projectId: string, kind: Kind) => void;
  readonly #log: Logger;
  readonly #stopped: AbortSignal;

  constructor(
    url: string,
    onDue: (projectId: string, kind: Kind) => void,
    log: Logger,
    stopped: AbortSignal,
  ) {
    this.#url = url;
    this.#onDue = onDue;
    this.#log = log;
    this.#stopped = stopped;
  }

  async run(): Promise<void> {
    while (!this.#stopped.aborted) {
      const client = openClient({
        connectionString: this.#url,
        connectionTimeoutMillis: 10_000,
        query_timeout: 10_000,
      });
      try {
        await this.#listen(client);
      } catch (error) {
        this.#log.debug({ err: error }, 'cannot listen for new email at the moment');
      }
      await client.end().catch(() => undefined);
      await this.#pause(reconnectMs);
    }
  }

  async #listen(client: pg.Client): Promise<void> {
    client.on('notification', ({ payload = '' }) => {
      const bulk = payload.endsWith(bulkSuffix);
      this.#onDue(bulk ? payload.slice(0, -bulkSuffix.length) : payload, bulk ? 'bulk' : 'direct');
    });
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    await client.connect();
    await client.query(`LISTEN ${outboxChannel}`);
    // A connection whose server has vanished would stay silent for ever.
    while (!this.#stopped.aborted && !(await Promise.race([ended.then(() => true), this.#pause(checkMs)]))) {
      await client.query('SELECT');
    }
  }

  async #pause(ms: number): Promise<false> {
    await delay(ms, undefined, { signal: this.#stopped }).catch(() => undefined);
    return false;
  }
}
