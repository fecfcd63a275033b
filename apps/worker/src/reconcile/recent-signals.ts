import type { NeglectedRow } from '@postrider/core/base/db';

/** A row that stays as it is gets a signal in every fifth run at least. */
const runs = 5;
/** How many unchanged rows each run signals, so that a small number of them does not wait for five runs after a loss of Temporal's store. */
const repeatsPerRun = 500;

/**
 * The rows that this process signalled in the last runs. A busy Temporal server takes a signal long before the workflow gets its turn.
 * Thousands of executions that wait for theirs, signalled again every minute, would take from the server the time for the turns.
 */
export class RecentSignals {
  readonly #signalled = new Map<string, { since: number; run: number }>();
  #run = 0;
  #repeats = 0;

  beginRun(): void {
    this.#run += 1;
    this.#repeats = 0;
    // In the order of their runs.
    for (const [id, { run }] of this.#signalled) {
      if (run > this.#run - runs) return;
      this.#signalled.delete(id);
    }
  }

  /** Whether the row was signalled in a recent run, has not changed since, and this run has repeated enough signals. */
  skips({ id, since }: NeglectedRow): boolean {
    if (this.#signalled.get(id)?.since !== since.getTime()) return false;
    this.#repeats += 1;
    return this.#repeats > repeatsPerRun;
  }

  add({ id, since }: NeglectedRow): void {
    this.#signalled.delete(id);
    this.#signalled.set(id, { since: since.getTime(), run: this.#run });
  }
}
