import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseIsAway } from '../db/index.ts';
import { AppError, type Context, projectIdOf, type StreamRight, type Watch } from '../kernel/index.ts';

/** The longest life of a stream, in milliseconds. */
const longestLife = 60 * 60_000;
/** Each stream ends up to this many milliseconds earlier, so that streams that began together after a restart do not end together. */
const spread = 6 * 60_000;
/** A caller without the right learns it within 15 seconds, also where events wait for the next window or for the database. */
const longestPause = 5_000;

/**
 * The events of a stream, as sets that belong together. `watch.next()` begins each look; what changes between two of them is merged.
 * The first set is read before the stream begins, so its failure is that of the request.
 */
export type Looks<Value> = (watch: Pick<Watch, 'next' | 'changes'>) => AsyncGenerator<readonly Value[]>;

/** Streams are counted by user for sessions, and by project for keys (behaviour B4.21). */
export const ownerOfStreams = (ctx: Context): string =>
  ctx.actor.type === 'user' ? `user:${ctx.actor.userId}` : `project:${projectIdOf(ctx)}`;

/**
 * Events of a project for as long as the caller has the right to them, and at most for an hour (behaviour B4.21). Each counts as one request; those
 * that the window of the key has no room for wait for the next one. Ending the iteration ends the watch at once, also while it waits.
 *
 * @throws AppError as `looks` does at its first set, and `Live.watch`; later, when the right has ended
 */
export async function openStream<Value>(
  ctx: Context,
  topics: readonly string[],
  looks: Looks<Value>,
): Promise<AsyncIterableIterator<Value>> {
  const { services, right } = ctx;
  const watch = await services.live.watch(
    { projectId: projectIdOf(ctx), owner: ownerOfStreams(ctx) },
    ...topics,
  );
  const life = setTimeout(() => watch.close(), longestLife - randomInt(spread)).unref();
  const close = (): void => {
    clearTimeout(life);
    watch.close();
  };
  const window = right ? new Window(right, watch) : null;
  const sets = looks({
    next: async () => (await watch.next()) && ((await window?.open()) ?? true),
    get changes() {
      return watch.changes;
    },
  });
  try {
    return closing(eventsOf(sets, await sets.next(), { window, close }), close);
  } catch (error) {
    close();
    throw error;
  }
}

interface Bounds {
  window: Window | null;
  close(): void;
}

async function* eventsOf<Value>(
  sets: AsyncGenerator<readonly Value[]>,
  first: IteratorResult<readonly Value[]>,
  { window, close }: Bounds,
): AsyncGenerator<Value> {
  try {
    for (let set = first; !set.done; set = await sets.next()) {
      let rest = set.value;
      while (rest.length > 0) {
        const admitted = window ? await window.admit(rest.length) : rest.length;
        if (admitted === 0) return;
        for (const event of rest.slice(0, admitted)) {
          // Before each event: a client that reads slowly may take the next one long after the look.
          if (window && !(await window.renew())) return;
          yield event;
        }
        rest = rest.slice(admitted);
      }
    }
  } finally {
    close();
    await sets.return(undefined);
  }
}

/** The right of a stream, and the room that is left for its events in the request window. */
class Window {
  readonly #right: StreamRight;
  readonly #watch: Watch;
  #usedUpUntil = 0;

  constructor(right: StreamRight, watch: Watch) {
    this.#right = right;
    this.#watch = watch;
  }

  /** Waits for a window with room. @returns false when the stream has ended meanwhile */
  async open(): Promise<boolean> {
    while (await this.renew()) {
      const wait = this.#usedUpUntil - performance.now();
      if (wait <= 0) return true;
      await this.#pause(wait);
    }
    return false;
  }

  /** Counts events. @returns how many of them may be sent now, at least one; 0 when the stream has ended meanwhile */
  async admit(events: number): Promise<number> {
    while (await this.open()) {
      const charge = await this.#whenAvailable(() => this.#right.charge(events));
      if (charge === null) return 0;
      if (charge.admitted < events) this.#usedUpUntil = performance.now() + charge.resetSeconds * 1000;
      if (charge.admitted > 0) return charge.admitted;
    }
    return 0;
  }

  /** Reads the right again. @returns false when the stream has ended meanwhile. @throws AppError without the right */
  async renew(): Promise<boolean> {
    return (await this.#whenAvailable(() => this.#right.renew().then(() => true))) ?? false;
  }

  /** While the database is away nothing is sent, and the stream stays open. @returns null when it has ended meanwhile */
  async #whenAvailable<T>(ask: () => Promise<T>): Promise<T | null> {
    while (!this.#watch.ended.aborted) {
      try {
        return await ask();
      } catch (error) {
        if (error instanceof AppError || !databaseIsAway(error)) throw error;
        await this.#pause(1_000);
      }
    }
    return null;
  }

  async #pause(ms: number): Promise<void> {
    await delay(Math.min(ms, longestPause), undefined, { ref: false, signal: this.#watch.ended }).catch(
      () => undefined,
    );
  }
}

/** A generator only ends between two values; this one is woken from its waiting first. */
function closing<Value>(generator: AsyncGenerator<Value>, close: () => void): AsyncIterableIterator<Value> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => generator.next(),
    return: () => {
      close();
      return generator.return(undefined);
    },
  };
}
