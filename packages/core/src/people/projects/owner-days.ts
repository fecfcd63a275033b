import type { Logger } from 'pino';
import type { Database } from '../../base/db/index.ts';
import { isUuid, RecentMap } from '../../base/lib/index.ts';
import { noteOwner, type OwnerNews } from './owner-days.store.ts';

/** Fewer open streams of one owner are not recorded: a person has some browser tabs. */
const fewStreams = 5;
const mostKnown = 10_000;

interface High {
  day: string;
  streams: number;
}

/**
 * Records for operators what the work of owners costs others. It is written beside that work, and a record that the database does not take is
 * logged and left out: no request waits for it.
 */
export class OwnerDays {
  readonly #database: Pick<Database, 'durable'>;
  readonly #log: Logger;
  readonly #highs = new RecentMap<string, High>(mostKnown);
  readonly #writing = new Set<Promise<void>>();

  constructor(database: Pick<Database, 'durable'>, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  slowMinute(ownerId: string): void {
    this.#note({ ownerId, slowMinutes: 1, taskLimits: 0, streams: 0 });
  }

  taskLimit(ownerId: string): void {
    this.#note({ ownerId, slowMinutes: 0, taskLimits: 1, streams: 0 });
  }

  /** @param streams that the owner has open in this process */
  streams(ownerId: string, streams: number): void {
    if (streams <= fewStreams) return;
    const day = new Date().toISOString().slice(0, 10);
    const high = this.#highs.get(ownerId);
    if (high?.day === day && high.streams >= streams) return;
    this.#highs.set(ownerId, { day, streams });
    this.#note({ ownerId, slowMinutes: 0, taskLimits: 0, streams });
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #note(news: OwnerNews): void {
    if (!isUuid(news.ownerId)) return;
    const written = noteOwner(this.#database, news)
      .catch((error: unknown) => {
        this.#log.warn({ err: error, ...news }, 'what the work of an owner costs could not be recorded');
      })
      .finally(() => this.#writing.delete(written));
    this.#writing.add(written);
  }
}
