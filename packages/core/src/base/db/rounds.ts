import type { Logger } from 'pino';
import { Pause } from '../lib/pause.ts';
import { databaseIsAway } from './availability.ts';

interface RoundsOptions {
  log: Pick<Logger, 'error'>;
  /** what is logged when a round fails, unless the database is away */
  failure: string;
  /** how often a process looks for what another one has stored */
  idleMs: number;
  /** what is due within this time is done together */
  shortestMs: number;
  /**
   * Does what is due.
   *
   * @returns milliseconds until more is due; null when nothing waits
   */
  round(isStopped: () => boolean): Promise<number | null>;
}

/** Does what is due, round by round, while its process runs. Whatever a round throws, the next one is made. */
export class Rounds {
  readonly #options: RoundsOptions;
  readonly #pause = new Pause();
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when the round that is being made has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#pause.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) await this.#pause.wait(await this.#round());
  }

  /** @returns the time to wait, in milliseconds */
  async #round(): Promise<number> {
    const { round, idleMs, shortestMs, log, failure } = this.#options;
    try {
      const nextMs = (await round(() => this.#isStopped)) ?? idleMs;
      return Math.min(idleMs, Math.max(shortestMs, nextMs));
    } catch (error) {
      if (!databaseIsAway(error)) log.error({ err: error }, failure);
      return idleMs;
    }
  }
}
