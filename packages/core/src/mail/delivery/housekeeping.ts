import type { Logger } from 'pino';
import { Pause } from '../../base/lib/pause.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { HeldBatch } from './held-batch.ts';
import type { Holdings } from './holdings.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { Reaper } from './reaper.ts';

const awayMs = 200;

export interface HousekeepingEvents {
  /** answers were added to a batch */
  onAnswered(batch: HeldBatch): void;
  /** a batch has durable answers that are not written yet */
  onUnwritten(batch: HeldBatch): void;
  /** email was, or was not, given back because it had been read too long ago */
  onRound(gaveBack: boolean): void;
}

export interface HousekeepingParts {
  leases: Pick<LeaseKeeper, 'renew'>;
  reaper: Pick<Reaper, 'reap'>;
  holdings: Holdings;
  watch: Pick<DatabaseWatch, 'away' | 'noticePause'>;
  log: Logger;
}

/**
 * Four times per lease: renews the leases, gives back what was read too long ago, writes batches that are slow in parts, and then
 * ends the batches of others whose lease is over. In this order: after a stop or an outage a process saves its own batches first.
 */
export class Housekeeping {
  readonly #leases: HousekeepingParts['leases'];
  readonly #reaper: HousekeepingParts['reaper'];
  readonly #holdings: Holdings;
  readonly #watch: HousekeepingParts['watch'];
  readonly #leaseMs: number;
  readonly #events: HousekeepingEvents;
  readonly #log: Logger;
  readonly #pause = new Pause();
  #stopping = false;

  constructor(parts: HousekeepingParts, leaseMs: number, events: HousekeepingEvents) {
    this.#leases = parts.leases;
    this.#reaper = parts.reaper;
    this.#holdings = parts.holdings;
    this.#watch = parts.watch;
    this.#log = parts.log;
    this.#leaseMs = leaseMs;
    this.#events = events;
  }

  async run(): Promise<void> {
    let waitMs = this.#leaseMs / 4;
    let before = performance.now();
    while (!this.#stopping) {
      await this.#pause.wait(waitMs);
      const now = performance.now();
      if (now - before > waitMs + this.#leaseMs / 4) this.#watch.noticePause();
      before = now;
      waitMs = (await this.#round()) ? this.#leaseMs / 4 : awayMs;
    }
  }

  stop(): void {
    this.#stopping = true;
    this.#pause.wake();
  }

  /** @returns whether the database answered */
  async #round(): Promise<boolean> {
    try {
      await this.#leases.renew();
      const readAfter = performance.now() - this.#leaseMs;
      let gaveBack = false;
      for (const batch of this.#holdings.all) {
        if (batch.heldSince < readAfter && batch.giveBackWaiting()) {
          gaveBack = true;
          this.#events.onAnswered(batch);
        }
        if (batch.hasUnwritten) this.#events.onUnwritten(batch);
      }
      this.#events.onRound(gaveBack);
      await this.#reaper.reap();
      return true;
    } catch (error) {
      if (!this.#watch.away) this.#log.error({ err: error }, 'leases could not be renewed or reaped');
      return false;
    }
  }
}
