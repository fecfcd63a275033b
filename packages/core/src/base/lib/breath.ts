import { setImmediate } from 'node:timers/promises';

/**
 * Lets other work of the process run, during work that would occupy the event loop for long: call `take` after each small piece, which waits
 * only when it is time.
 */
export class Breath {
  /** how often it waited */
  taken = 0;
  readonly #everyMs: number;
  #endsAt: number;

  /** @param everyMs how long the work may occupy the event loop at a time, in milliseconds */
  constructor(everyMs = 10) {
    this.#everyMs = everyMs;
    this.#endsAt = performance.now() + everyMs;
  }

  /** Whether `take` would wait: work of very small pieces asks first, because awaiting each of them would cost more than the pieces. */
  get isDue(): boolean {
    return performance.now() >= this.#endsAt;
  }

  async take(): Promise<void> {
    if (!this.isDue) return;
    await setImmediate();
    this.taken += 1;
    this.#endsAt = performance.now() + this.#everyMs;
  }
}
