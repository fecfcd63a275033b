/** Waits after answers that refused the rate, doubled by each one in a row, in milliseconds. */
const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
/** With more refusals in a row, waiting alone does not help. */
const mostInARow = 5;

/** How many messages may start now: the account's rate, and a pause after it was refused. Times are of the monotonic clock. */
export class SendRate {
  /** messages per second; null while unknown */
  perSecond: number | null = null;
  #tokens = 1;
  #countedAt = 0;
  #pausedUntil = 0;
  #refused = 0;

  /** Takes the right to start one message. */
  take(now: number): boolean {
    if (now < this.#pausedUntil) return false;
    if (this.perSecond === null) return true;
    const most = Math.max(1, this.perSecond);
    this.#tokens = Math.min(most, this.#tokens + ((now - this.#countedAt) / 1_000) * this.perSecond);
    this.#countedAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** The right was not used. */
  giveBack(): void {
    this.#tokens += 1;
  }

  /** Time until `take` may succeed, in milliseconds. */
  waitMs(now: number): number {
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return this.perSecond === null || this.#tokens >= 1 ? 0 : ((1 - this.#tokens) / this.perSecond) * 1_000;
  }

  accepted(): void {
    this.#refused = 0;
  }

  /** The rate was refused. @returns whether waiting here may be enough */
  refused(now: number): boolean {
    // Every message that is under way gets refused; only the first refusal counts.
    if (now < this.#pausedUntil) return this.#refused <= mostInARow;
    this.#refused += 1;
    this.#pausedUntil = now + Math.min(longestWaitMs, firstWaitMs * 2 ** (this.#refused - 1));
    return this.#refused <= mostInARow;
  }
}
