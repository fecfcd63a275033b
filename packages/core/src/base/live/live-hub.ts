import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Database, listenToChannel } from '../db/index.ts';
import {
  AppError,
  type CoreConfig,
  type Live,
  type Owners,
  type Watch,
  type Watcher,
} from '../kernel/index.ts';
import { Counts, newId } from '../lib/index.ts';
import { liveChannel, removeListener, renewListeners, type Watched } from './listeners.store.ts';
import { pausesOf } from './pause.rules.ts';
import { TopicWatch } from './topic-watch.ts';

/** Well within the lifetime of a listener. */
const renewMs = 20_000;

/** While the database is away, watching begins without LISTEN, which wakes all watches when it succeeds. */
const patienceMs = 5_000;

/** Streams of one owner, and of all together, in one process (behaviour B4.21). */
const mostOfOwner = 20;
const mostOfAll = 500;
/** Room appears only when the clients of other streams leave, so asking again sooner does not help. */
const retryAfterSeconds = 10;

interface Topic extends Watched {
  watches: Set<TopicWatch>;
}

interface HubServices {
  config: Pick<CoreConfig, 'DATABASE_URL'>;
  database: Database;
  log: Logger;
  owners: Pick<Owners, 'turnOf'>;
  days: { streams(ownerId: string, streams: number): void };
}

const keyOf = ({ projectId, topic }: Watched): string => `${projectId} ${topic}`;

/** One connection per process listens for all watches; it opens with the first of them. */
export class LiveHub implements Live {
  readonly #services: HubServices;
  readonly #id = newId();
  readonly #topics = new Map<string, Topic>();
  /** watches of each owner */
  readonly #owners = new Counts();
  #open = 0;
  readonly #stopped = new AbortController();
  #listening: Promise<void> | null = null;
  #ended: Promise<unknown> = Promise.resolve();
  #renewal: NodeJS.Timeout | undefined;

  constructor(services: HubServices) {
    this.#services = services;
  }

  async watch({ projectId, owner }: Watcher, ...names: string[]): Promise<Watch> {
    this.assertRoom(owner);
    const watched = names.map((topic) => ({ projectId, topic }));
    this.#count(owner, 1);
    const isUser = owner.startsWith('user:');
    const ownerId = isUser ? owner.slice('user:'.length) : this.#services.owners.turnOf(projectId).owner;
    this.#services.days.streams(ownerId, Math.max(1, this.#owners.get(owner)));
    const watch = new TopicWatch(
      () => pausesOf(Math.max(1, this.#owners.get(owner)), Math.random()),
      () => {
        this.#count(owner, -1);
        for (const each of watched) this.#leave(each, watch);
      },
    );
    for (const each of watched) {
      const known = this.#topics.get(keyOf(each)) ?? { ...each, watches: new Set() };
      known.watches.add(watch);
      this.#topics.set(keyOf(each), known);
    }
    try {
      await Promise.race([this.#listen(), delay(patienceMs, undefined, { ref: false })]);
      await renewListeners(this.#services.database, this.#id, watched);
      watch.begin();
    } catch (error) {
      watch.close();
      throw error;
    }
    return watch;
  }

  async close(): Promise<void> {
    this.#stopped.abort();
    clearInterval(this.#renewal);
    for (const { watches } of [...this.#topics.values()]) for (const watch of [...watches]) watch.close();
    await this.#ended;
  }

  assertRoom(owner: string): void {
    const ofOwner = this.#owners.get(owner) >= mostOfOwner;
    if (!ofOwner && this.#open < mostOfAll) return;
    throw new AppError(
      'RATE_LIMIT_EXCEEDED',
      ofOwner ? `At most ${mostOfOwner} live streams at once` : 'Too many live streams are open',
      {
        details: { retryAfter: retryAfterSeconds },
        suggestion: 'End streams that are no longer needed',
      },
    );
  }

  #count(owner: string, change: 1 | -1): void {
    this.#owners.add(owner, change);
    this.#open += change;
  }

  /** Resolves with the first LISTEN. */
  #listen(): Promise<void> {
    this.#listening ??= new Promise((resolve) => {
      this.#ended = listenToChannel({
        url: this.#services.config.DATABASE_URL,
        channel: liveChannel,
        onPayload: (payload) => this.#wake(this.#topics.get(payload)),
        onListening: () => {
          resolve();
          // A database that crashed may have lost the listeners. What changes from now on must notify this process, what changed before wakes it.
          void this.#renew().finally(() => {
            for (const topic of this.#topics.values()) this.#wake(topic);
          });
        },
        log: this.#services.log,
        stopped: this.#stopped.signal,
      });
      this.#renewal = setInterval(() => void this.#renew(), renewMs).unref();
    });
    return this.#listening;
  }

  #wake(topic: Topic | undefined): void {
    if (topic) for (const watch of topic.watches) watch.wake(topic.topic);
  }

  async #renew(): Promise<void> {
    if (this.#topics.size === 0) return;
    try {
      await renewListeners(this.#services.database, this.#id, [...this.#topics.values()]);
    } catch (error) {
      this.#services.log.warn(
        { err: error },
        'could not renew the listeners; watches look by themselves until it works again',
      );
    }
  }

  #leave(watched: Watched, watch: TopicWatch): void {
    const topic = this.#topics.get(keyOf(watched));
    topic?.watches.delete(watch);
    if (topic?.watches.size !== 0) return;
    this.#topics.delete(keyOf(watched));
    removeListener(this.#services.database, this.#id, watched).catch((error: unknown) => {
      this.#services.log.debug({ err: error }, 'could not remove a listener; it expires');
    });
  }
}
