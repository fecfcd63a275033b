import type { NeglectedRow } from '@postrider/core/db';

/** A row that stays as it is gets a signal in every fifth run. */
const runs = 5;

/**
 * The rows that this process signalled in the last runs. A busy Temporal server takes a signal long before the workflow gets its turn.
 * Thousands of executions that wait for theirs, signalled again every minute, would take from the server the time for the turns.
 */
export class RecentSignals {
  readonly #signalled = new Map<string, { since: number; run: number }>();
  #run = 0;

  beginRun(): void {
    this.#run += 1;
    // In the order of their runs.
    for (const [id, { run }] of this.#signalled) {
      if (run > this.#run - runs) return;
      this.#signalled.delete(id);
    }
  }

  /** Whether the row was signalled in a recent run and has not changed since. */
  has({ id, since }: NeglectedRow): boolean {
    return this.#signalled.get(id)?.since === since.getTime();
  }

  add({ id, since }: NeglectedRow): void {
    this.#signalled.delete(id);
    this.#signalled.set(id, { since: since.getTime(), run: this.#run });
  }
}
