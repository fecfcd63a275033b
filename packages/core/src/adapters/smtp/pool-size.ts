/** Ticks until one more connection is tried after the server refused one; doubled each time that it refuses again. */
interface GrowthWaits {
  first: number;
  longest: number;
}

/** How many connections the server allows at present, as far as its refusals show. */
export class PoolSize {
  readonly #most: number;
  readonly #waits: GrowthWaits;
  #allowed: number;
  #growAt = 0;
  #wait: number;

  constructor(most: number, waits: GrowthWaits) {
    this.#most = most;
    this.#waits = waits;
    this.#allowed = most;
    this.#wait = waits.first;
  }

  /** One more than were allowed when it is time to try again. */
  allowed(tick: number): number {
    return this.#allowed < this.#most && tick >= this.#growAt ? this.#allowed + 1 : this.#allowed;
  }

  /** The server let a connection in. */
  opened(open: number): void {
    if (open <= this.#allowed) return;
    this.#allowed = Math.min(this.#most, open);
    this.#wait = this.#waits.first;
  }

  /** The server refused a connection while `open` others went on. */
  refused(open: number, tick: number): void {
    const isTrial = tick >= this.#growAt;
    this.#allowed = Math.min(this.#allowed, Math.max(1, open));
    if (!isTrial) return;
    this.#growAt = tick + this.#wait;
    this.#wait = Math.min(this.#waits.longest, this.#wait * 2);
  }

  /** No connection is left, so nothing is known. */
  reset(): void {
    this.#allowed = this.#most;
    this.#growAt = 0;
    this.#wait = this.#waits.first;
  }
}
