import { dropLease, renewLease } from '../ledger/claim.store.ts';
import type { LedgerConnection } from './ledger-connection.ts';

/** Share of the lease left unused, for clock drift and for the time from the check to the first byte. */
const safetyShare = 0.15;

/**
 * The lease of one claim, as this process sees it: renewed every quarter of its time. Its expiry is measured with
 * the local monotonic clock, from before the database query.
 */
export class ClaimLease {
  readonly token: string;
  readonly #connection: LedgerConnection;
  readonly #leaseMs: number;
  #until: number;
  #timer: NodeJS.Timeout;
  #open = 0;
  #claiming = true;
  #onDone: () => void;

  constructor(options: {
    token: string;
    connection: LedgerConnection;
    leaseMs: number;
    askedAt: number;
    onDone: () => void;
  }) {
    this.token = options.token;
    this.#connection = options.connection;
    this.#leaseMs = options.leaseMs;
    this.#until = options.askedAt + options.leaseMs * (1 - safetyShare);
    this.#onDone = options.onDone;
    this.#timer = setInterval(() => void this.#renew(), options.leaseMs / 4);
  }

  /** Whether these rows cannot have been claimed by another worker. */
  get holds(): boolean {
    return performance.now() < this.#until;
  }

  add(rows: number): void {
    this.#open += rows;
    this.#claiming = false;
  }

  /** Counts one row of the claim as settled. The lease ends with the last one. */
  finish(): void {
    this.#open -= 1;
    if (this.#open > 0 || this.#claiming) return;
    clearInterval(this.#timer);
    this.#onDone();
    // Best effort: a remaining lease row covers no deliveries, and the reaper removes it when it expires.
    this.#connection.use((client) => dropLease(client, this.token)).catch(() => undefined);
  }

  /** Abandons the rest of the claim: the lease is not renewed, and the reaper releases the rows when it expires. */
  abandon(): void {
    clearInterval(this.#timer);
    this.#until = 0;
  }

  async #renew(): Promise<void> {
    const askedAt = performance.now();
    try {
      const renewed = await this.#connection.use((client) => renewLease(client, this.token, this.#leaseMs));
      if (renewed) this.#until = askedAt + this.#leaseMs * (1 - safetyShare);
      else this.#until = 0;
    } catch {
      // The database is unavailable: the lease expires, and `holds` returns false in time.
    }
  }
}
