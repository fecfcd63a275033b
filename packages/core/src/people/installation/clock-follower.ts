import type { Services } from '../../base/kernel/index.ts';
import { markClock, readClock } from './clock.store.ts';

/** Smaller steps cannot be told from a clock that is being slowed down, and delay nothing by much. */
const noticedMs = 1_000;

/** Makes what waits for a time that was written before the clock was set back due so many milliseconds earlier. @returns how many rows */
export type BringForward = (services: Services, byMs: number) => Promise<number>;

/**
 * Notices that the database's clock was set back, by a correction or a failover to a host whose clock is behind. Otherwise everything that
 * was accepted before the step would wait for as long as it.
 *
 * The clock is compared with the last mark and the time that has passed since, by the process's own timer. A mark of another process, or of
 * one that has ended, is compared as it stands: the time since is not known, so a step is then found shorter than it was by up to the time
 * between two looks.
 */
export class ClockFollower {
  #own: { marked: number; at: number } | undefined;

  /**
   * To be called about once a minute. A call that ends halfway is repeated by the next one: what was brought forward already is then early,
   * as is what was written after the step, which does no harm.
   *
   * @returns the rows that were brought forward
   */
  async follow(services: Services, kinds: readonly BringForward[]): Promise<number> {
    const { durable } = services.database;
    const byMs = await this.#setBackBy(services);
    let rows = 0;
    if (byMs >= noticedMs) {
      for (const bringForward of kinds) rows += await bringForward(services, byMs);
      services.log.warn({ byMs: Math.round(byMs), rows }, 'the clock of the database was set back');
    }
    this.#own = { marked: await markClock(durable), at: performance.now() };
    return rows;
  }

  async #setBackBy({ database }: Services): Promise<number> {
    const { now, marked } = await readClock(database.durable);
    if (marked === null) return 0;
    const isOwn = this.#own?.marked === marked;
    return marked + (isOwn && this.#own ? performance.now() - this.#own.at : 0) - now;
  }
}
