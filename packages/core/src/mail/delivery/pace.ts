/** A round is a quarter of a lease. */
const rounds = 2;

/**
 * How much this process gets through. Email that was read too long ago is given back, since an opt-out may have come meanwhile; after
 * that no more is held than left during the last half of a lease, so that a slow mail server does not make every email be claimed
 * again once per lease.
 */
export class Pace {
  readonly #left: number[] = Array.from({ length: rounds }, () => 0);
  #now = 0;
  #isBehind = false;

  /** The most emails that are to be held. */
  limit(connections: number): number {
    if (!this.#isBehind) return Number.POSITIVE_INFINITY;
    const recent = this.#left.reduce((sum, count) => sum + count, this.#now);
    return Math.max(2 * connections, recent);
  }

  /** A message was taken by a connection. */
  taken(): void {
    this.#now += 1;
  }

  /** A quarter of a lease is over. @param gaveBack whether email had been held for too long */
  roundEnded(gaveBack: boolean): void {
    this.#left.shift();
    this.#left.push(this.#now);
    this.#now = 0;
    if (gaveBack) this.#isBehind = true;
  }

  /** Everything that was held has left: the process may hold more. */
  caughtUp(): void {
    this.#isBehind = false;
  }
}
