import { setTimeout as delay } from 'node:timers/promises';
import { databaseIsAway, isConflict, isDuplicate } from '../../base/db/index.ts';
import { tooManyWaiting } from '../../base/kernel/index.ts';
import type { Interaction } from './interactions.store.ts';

export interface InteractionQueueOptions {
  /** What waits in memory: interactions, and estimated bytes of them. */
  most: { count: number; bytes: number };
  /** The most interactions of one statement. */
  groupSize: number;
  /** How long a request waits for room in a full queue, in milliseconds, and how many may. */
  patience: { ms: number; requests: number };
  /** The longest pause between attempts while the database is away, in milliseconds. */
  longestPauseMs: number;
  /**
   * For an interaction that is beyond the limit of rows, what it has in common with those that count with it: while one waits, those
   * after it are added to it. null for one that may have a row of its own.
   */
  alike(interaction: Interaction): string | null;
  /** Stores a group in one statement. @returns the ids of those that must be stored later */
  store(group: readonly Interaction[], options: { isRepeat: boolean }): Promise<readonly string[]>;
  /** The database refuses this interaction itself, so that no repetition can store it. */
  refused(error: unknown, interaction: Interaction): void;
}

interface Request {
  interaction: Interaction;
  resolve(): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Estimated bytes of an interaction besides its link, which may be held twice. */
const interactionBytes = 300;
const firstPauseMs = 25;

/**
 * Opens and clicks that are not stored yet. They are written in the order of arrival, in groups: those that arrive while a statement
 * runs are stored by the next one. While the database is away they wait, and the statement is repeated until it succeeds; a statement
 * whose outcome is unknown is repeated without what it has stored.
 *
 * Interactions beyond the limit of rows only count, so that those of a flood share what waits, and cost nothing more until that is stored.
 *
 * The queue is bounded. When it is full, requests wait for room, so that their clients slow down; one that has waited too long is
 * refused, and its interaction is not accepted.
 */
export class InteractionQueue {
  readonly #options: InteractionQueueOptions;
  #waiting: Interaction[] = [];
  #requests: Request[] = [];
  /** those that wait and that others like them are added to */
  readonly #counting = new Map<string, Interaction>();
  /** of everything accepted and not stored, the group in flight included */
  #count = 0;
  #bytes = 0;
  #running: Promise<void> | null = null;

  constructor(options: InteractionQueueOptions) {
    this.#options = options;
  }

  /** Interactions that were accepted and are not stored yet. */
  get length(): number {
    return this.#count;
  }

  /** Resolves as soon as the interaction is in the queue. @throws an error that names the time to wait when it stays full */
  add(interaction: Interaction): Promise<void> {
    const alike = this.#options.alike(interaction);
    const counting = alike === null ? undefined : this.#counting.get(alike);
    if (counting) {
      counting.times += interaction.times;
      return Promise.resolve();
    }
    if (this.#hasRoom() && this.#requests.length === 0) {
      this.#accept(interaction);
      if (alike !== null) this.#counting.set(alike, interaction);
      return Promise.resolve();
    }
    const { ms, requests } = this.#options.patience;
    if (this.#requests.length >= requests) return Promise.reject(tooManyWaiting('total'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#requests = this.#requests.filter((request) => request.interaction !== interaction);
        reject(tooManyWaiting('total'));
      }, ms);
      this.#requests.push({ interaction, resolve, reject, timer });
    });
  }

  /** Resolves when everything accepted so far, and while it waits, is stored. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  #hasRoom(): boolean {
    const { count, bytes } = this.#options.most;
    return this.#count < count && this.#bytes < bytes;
  }

  #accept(interaction: Interaction): void {
    this.#waiting.push(interaction);
    this.#count += 1;
    this.#bytes += bytesOf(interaction);
    this.#running ??= this.#run();
  }

  /** Ends the counting of these interactions: once they are in a statement they do not change. */
  #close(group: readonly Interaction[]): void {
    if (this.#counting.size === 0) return;
    const closed = new Set(group);
    for (const [alike, interaction] of this.#counting) {
      // Both are in the order of arrival, so the first one outside of the group ends the search.
      if (!closed.has(interaction)) return;
      this.#counting.delete(alike);
    }
  }

  #release(stored: readonly Interaction[]): void {
    this.#count -= stored.length;
    for (const interaction of stored) this.#bytes -= bytesOf(interaction);
    while (this.#hasRoom()) {
      const request = this.#requests.shift();
      if (!request) return;
      clearTimeout(request.timer);
      this.#accept(request.interaction);
      request.resolve();
    }
  }

  async #run(): Promise<void> {
    // After the requests that were read in the same turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#options.groupSize);
      this.#close(group);
      const busy = new Set(await this.#store(group, false));
      this.#waiting.push(...group.filter(({ id }) => busy.has(id)));
      this.#release(group.filter(({ id }) => !busy.has(id)));
      // Nothing was stored, so the transactions that hold the emails are given time.
      if (busy.size === group.length) await delay(firstPauseMs);
    }
    this.#running = null;
  }

  /** Repeats the statement while the database is away. A group that it refuses is halved until the cause is alone. */
  async #store(group: readonly Interaction[], isRepeat: boolean): Promise<readonly string[]> {
    let pauseMs = firstPauseMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#options.store(group, { isRepeat: isRepeat || attempt > 0 });
      } catch (error) {
        const mayRepeat = databaseIsAway(error) || isConflict(error) || (attempt === 0 && isDuplicate(error));
        if (!mayRepeat) return this.#storeDespite(error, group);
      }
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 2, this.#options.longestPauseMs);
    }
  }

  async #storeDespite(error: unknown, group: readonly Interaction[]): Promise<readonly string[]> {
    const [first] = group;
    if (first && group.length === 1) {
      this.#options.refused(error, first);
      return [];
    }
    const half = group.length >> 1;
    const busy = await this.#store(group.slice(0, half), true);
    return [...busy, ...(await this.#store(group.slice(half), true))];
  }
}

const bytesOf = ({ link }: Interaction): number => interactionBytes + 4 * (link?.length ?? 0);
