import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type LateAnswer, settleLate, type Written } from '../ledger/index.ts';
import { bisect } from './bisect.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { LedgerConnection } from './ledger-connection.ts';

const intervalMs = 50;

/** Settles answers of transfers whose batch was taken over before they were recorded: the process was stopped for longer than its lease. */
export class LateAnswers {
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #onWritten: (written: Written) => void;
  readonly #log: Logger;
  readonly #sandboxFrom: string;
  #waiting: LateAnswer[] = [];
  #running: Promise<void> | null = null;

  constructor(
    connection: LedgerConnection,
    watch: DatabaseWatch,
    onWritten: (written: Written) => void,
    log: Logger,
    sandboxFrom: string,
  ) {
    this.#connection = connection;
    this.#watch = watch;
    this.#onWritten = onWritten;
    this.#log = log;
    this.#sandboxFrom = sandboxFrom;
  }

  add(answers: readonly LateAnswer[]): void {
    if (answers.length === 0) return;
    this.#waiting.push(...answers);
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async flush(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    await delay(intervalMs);
    while (this.#waiting.length > 0) {
      const answers = this.#waiting;
      this.#waiting = [];
      try {
        await bisect(
          answers,
          (part) => this.#settle(part),
          async ({ emailId }, error) =>
            this.#log.error({ err: error, emailId }, 'a late answer could not be stored'),
        );
      } catch (error) {
        this.#log.error(
          { err: error, answers: answers.length },
          'late answers were not stored before the stop',
        );
      }
    }
  }

  async #settle(answers: readonly LateAnswer[]): Promise<void> {
    this.#onWritten(
      await this.#watch.untilAnswered(() =>
        this.#connection.use((client) => settleLate(client, answers, this.#sandboxFrom)),
      ),
    );
  }
}
