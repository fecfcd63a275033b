import type { Logger } from 'pino';
import { Pause } from '../../base/lib/pause.ts';
import { releasePaced } from '../ledger/index.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { LedgerConnection } from './ledger-connection.ts';

const failedMs = 5_000;

/** Releases email of campaigns with a pace of their own when it is its turn. Every delivery process does, and needs PostgreSQL alone. */
export class Pacer {
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #paceMs: number;
  readonly #onDue: (projectId: string) => void;
  readonly #log: Logger;
  readonly #pause = new Pause();
  #stopping = false;

  constructor(
    connection: LedgerConnection,
    watch: DatabaseWatch,
    paceMs: number,
    onDue: (projectId: string) => void,
    log: Logger,
  ) {
    this.#connection = connection;
    this.#watch = watch;
    this.#paceMs = paceMs;
    this.#onDue = onDue;
    this.#log = log;
  }

  async run(): Promise<void> {
    while (!this.#stopping) {
      const waitMs = (await this.#release()) ? this.#paceMs : failedMs;
      await this.#pause.wait(waitMs);
    }
  }

  stop(): void {
    this.#stopping = true;
    this.#pause.wake();
  }

  /** @returns whether the database answered */
  async #release(): Promise<boolean> {
    try {
      // Not repeated: whether a release without an answer was committed is unknown, and the next one goes by what was.
      const projectIds = await this.#watch.once(() => this.#connection.use((client) => releasePaced(client)));
      for (const projectId of projectIds) this.#onDue(projectId);
      return true;
    } catch (error) {
      if (!this.#stopping && !this.#watch.away)
        this.#log.error({ err: error }, 'email with a pace could not be released');
      return false;
    }
  }
}
