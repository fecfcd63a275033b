import { dropLease, renewLease } from '../ledger/claim.store.ts';
import type { LedgerConnection } from './ledger-connection.ts';

/** Share of the lease that is left unused, for clocks that run apart and for the time from the check to the first byte. */
const safetyShare = 0.15;

/**
 * The lease over one claim, as this process knows it: renewed every quarter of its time, and believed only by the local
 * monotonic clock, counted from before the database was asked.
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

  /** Whether nobody else can have been given these rows. */
  get holds(): boolean {
    return performance.now() < this.#until;
  }

  add(rows: number): void {
    this.#open += rows;
    this.#claiming = false;
  }

  /** One row of the claim is settled. With the last one the lease ends. */
  finish(): void {
    this.#open -= 1;
    if (this.#open > 0 || this.#claiming) return;
    clearInterval(this.#timer);
    this.#onDone();
    // Best effort: a lease row that stays behind is empty, and the reaper removes it when it expires.
    this.#connection.use((client) => dropLease(client, this.token)).catch(() => undefined);
  }

  /** What is left of the claim is given up: nobody renews it, and the reaper finds it when it has run out. */
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
      // The database is away: the lease simply runs towards its end, and `holds` says so in time.
    }
  }
}
