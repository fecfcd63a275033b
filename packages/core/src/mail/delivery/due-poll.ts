import { Pause } from '../../base/lib/pause.ts';
import { dueProjects, skipGone } from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { LedgerConnection } from './ledger-connection.ts';

const projectsAtOnce = 1_000;
const shortestMs = 50;
/** The poll is idle at least so many times as long as it takes. */
const idleShare = 4;

/** Finds projects with due email: retries, and email whose notification was lost. */
export class DuePoll {
  readonly #connection: LedgerConnection;
  readonly #watch: DatabaseWatch;
  readonly #pollMs: number;
  readonly #onDue: (projectId: string, kind: Kind) => void;
  readonly #pause = new Pause();
  #stopping = false;

  constructor(
    connection: LedgerConnection,
    watch: DatabaseWatch,
    pollMs: number,
    onDue: (projectId: string, kind: Kind) => void,
  ) {
    this.#connection = connection;
    this.#watch = watch;
    this.#pollMs = pollMs;
    this.#onDue = onDue;
  }

  async run(): Promise<void> {
    while (!this.#stopping) {
      const begunAt = performance.now();
      const { projects, nextInMs, readsGone } = await this.#watch.untilAnswered(() =>
        this.#connection.use((client) => dueProjects(client, projectsAtOnce)),
      );
      for (const { projectId, direct, bulk } of projects) {
        if (direct) this.#onDue(projectId, 'direct');
        if (bulk) this.#onDue(projectId, 'bulk');
      }
      if (readsGone) await this.#watch.untilAnswered(() => this.#connection.use(skipGone));
      const least = Math.min(this.#pollMs, Math.max(shortestMs, idleShare * (performance.now() - begunAt)));
      await this.#pause.wait(Math.max(least, Math.min(this.#pollMs, nextInMs ?? this.#pollMs)));
    }
  }

  /** Email has become due. */
  wake(): void {
    this.#pause.wake();
  }

  stop(): void {
    this.#stopping = true;
    this.wake();
  }
}
