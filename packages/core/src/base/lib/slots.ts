export interface SlotOptions {
  /** tasks at the same time */
  places: number;
  /** tasks that may wait for a place; without a bound by default */
  waiting?: number;
  /** the error for a task that finds as many waiting */
  full?: () => Error;
}

/** Limits how many tasks run at the same time. The others wait, and start in the order in which they came. */
export class Slots {
  readonly #options: SlotOptions;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(options: SlotOptions) {
    this.#options = options;
    this.#free = options.places;
  }

  /** @throws the error `full` when too many wait */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#place();
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The next one takes over this place, so that nothing that arrives in between overtakes it.
      if (next) next();
      else this.#free += 1;
    }
  }

  #place(): Promise<void> {
    const { waiting = Number.POSITIVE_INFINITY, full } = this.#options;
    if (this.#waiting.length >= waiting) throw full?.() ?? new Error('too many tasks wait');
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
