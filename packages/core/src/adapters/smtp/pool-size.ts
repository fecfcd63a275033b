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
  /** The server works again after a failure: what it allows is found out from one connection on. */
  #isReturning = false;

  constructor(most: number, waits: GrowthWaits) {
    this.#most = most;
    this.#waits = waits;
    this.#allowed = most;
    this.#wait = waits.first;
  }

  /** The number that the server is known to allow. */
  get known(): number {
    return this.#allowed;
  }

  /** One more than are known to be allowed when it is time to try again. */
  allowed(tick: number): number {
    return this.isTrialDue(tick) ? this.#allowed + 1 : this.#allowed;
  }

  isTrialDue(tick: number): boolean {
    return !this.#isReturning && this.#allowed < this.#most && tick >= this.#growAt;
  }

  /** The server let a connection in. */
  opened(open: number): void {
    if (open <= this.#allowed) return;
    this.#allowed = Math.min(this.#most, open);
    this.#wait = this.#waits.first;
  }

  /** The server accepted the sender of a message. @returns whether it allows more by that */
  accepted(): boolean {
    if (!this.#isReturning) return false;
    this.#allowed = Math.min(this.#most, this.#allowed * 2);
    this.#isReturning = this.#allowed < this.#most;
    return true;
  }

  /** The server refused a connection while `open` others went on. */
  refused(open: number, tick: number): void {
    const isTrial = tick >= this.#growAt;
    this.#isReturning = false;
    this.#allowed = Math.min(this.#allowed, Math.max(1, open));
    if (!isTrial) return;
    this.#growAt = tick + this.#wait;
    this.#wait = Math.min(this.#waits.longest, this.#wait * 2);
  }

  /** The server failed: when it works again, it is not met with all connections at once. */
  restart(): void {
    this.#allowed = 1;
    this.#isReturning = this.#most > 1;
    this.#growAt = 0;
    this.#wait = this.#waits.first;
  }
}
