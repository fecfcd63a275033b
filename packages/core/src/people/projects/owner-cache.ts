import type { Logger } from 'pino';
import type { Database } from '../../base/db/index.ts';
import type { KnownOwners, Turn } from '../../base/kernel/index.ts';
import { isUuid, RecentMap } from '../../base/lib/index.ts';
import { findOwners } from './owners.store.ts';

/** How long an owner is known. Meanwhile a project that changed hands, or an address that was proved, keeps its former turn. */
const knownMs = 60_000;
/** Without the database, owners are looked for this often. */
const retryMs = 1_000;
const mostKnown = 100_000;
const mostAtOnce = 1_000;

interface Span {
  since: Date;
  until: Date;
}

interface Known {
  turn: Turn;
  plain: Span | null;
  at: number;
}

/** The owners of projects in this process: those that are asked for at the same time are read together. */
export class OwnerCache implements KnownOwners {
  readonly #database: Pick<Database, 'durable'>;
  readonly #log: Logger;
  readonly #known = new RecentMap<string, Known>(mostKnown);
  readonly #asked = new Map<string, PromiseWithResolvers<void>>();
  #isReading = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(database: Pick<Database, 'durable'>, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  turnOf(projectId: string): Turn {
    const known = this.#known.get(projectId);
    if (known && performance.now() - known.at < knownMs) return known.turn;
    if (!known && !isUuid(projectId)) return this.#remember(projectId, { owner: projectId, isProven: true });
    this.#ask(projectId);
    return known?.turn ?? { owner: projectId, isProven: false };
  }

  known(projectId: string): Promise<void> | null {
    if (this.#known.get(projectId)) return null;
    this.turnOf(projectId);
    return this.#asked.get(projectId)?.promise ?? null;
  }

  fillsInPlainly(projectId: string, createdAt: Date): boolean {
    const plain = this.#known.get(projectId)?.plain;
    return plain !== null && plain !== undefined && plain.since <= createdAt && createdAt < plain.until;
  }

  forget(projectId: string): void {
    this.#known.delete(projectId);
  }

  #ask(projectId: string): void {
    if (this.#asked.has(projectId) || performance.now() - this.#failedAt < retryMs) return;
    this.#asked.set(projectId, Promise.withResolvers());
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#asked.size > 0) {
      // After the projects that are asked for in the same turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      const ids = [...this.#asked.keys()].slice(0, mostAtOnce);
      try {
        const rows = new Map((await findOwners(this.#database, ids)).map((row) => [row.projectId, row]));
        for (const id of ids) {
          const row = rows.get(id);
          const plain =
            row?.plainSince && row.plainUntil ? { since: row.plainSince, until: row.plainUntil } : null;
          this.#remember(id, { owner: row?.ownerId ?? id, isProven: row?.isProven ?? false }, plain);
        }
      } catch (error) {
        this.#failedAt = performance.now();
        this.#log.warn(
          { err: error },
          'owners of projects could not be read; they count as unproven, or as before',
        );
      }
      for (const id of ids) {
        this.#asked.get(id)?.resolve();
        this.#asked.delete(id);
      }
    }
    this.#isReading = false;
  }

  #remember(projectId: string, { owner, isProven }: Turn, plain: Span | null = null): Turn {
    const before = this.#known.get(projectId)?.turn;
    const turn = before?.owner === owner && before.isProven === isProven ? before : { owner, isProven };
    this.#known.set(projectId, { turn, plain, at: performance.now() });
    return turn;
  }
}
