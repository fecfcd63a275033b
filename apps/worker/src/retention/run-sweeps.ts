import { setTimeout as sleep } from 'node:timers/promises';
import { countSwept, type Services } from '@postrider/core/base/kernel';

/** Removes one kind of data whose retention has ended. */
export interface Sweep {
  kind: string;
  /** What has to happen before anything is removed in this run. */
  prepare?(services: Services, now: Date): Promise<void>;
  /** Removes at most `limit` rows in one short statement. @returns how many; 0 when none is left */
  remove(services: Services, now: Date, limit: number): Promise<number>;
}

const perStatement = 1_000;
/** While statements are quick they remove more, so that round trips and pauses do not make the rate. */
const mostPerStatement = 10_000;
const longestMs = 200;
/** A kind whose statement fails even for this few rows is left until the next run. */
const leastPerStatement = 50;
const shortestPauseMs = 5;

/** The rows of the next statement, by how long the last one took: it holds locks and a snapshot for that time. */
function nextLimit(limit: number, count: number, ms: number): number {
  if (ms > longestMs) return Math.max(leastPerStatement, Math.floor(limit / 2));
  return count >= limit && ms < longestMs / 2 ? Math.min(mostPerStatement, 2 * limit) : limit;
}

/**
 * Sweeps each kind until nothing of it is left, or `budgetMs` have passed. Kinds take turns, one statement each, so that none waits for
 * a large one; after each statement the database has as much time for others as it took, and one that took long is followed by a smaller one. A statement that fails (it may have taken too
 * long) is tried with fewer rows; then its kind is left out, and the others go on.
 *
 * @returns the rows removed; 0 when nothing is left
 * @throws when nothing else is left and kinds have failed, which it names
 */
export async function runSweeps(
  services: Services,
  sweeps: readonly Sweep[],
  budgetMs: number,
): Promise<number> {
  const now = new Date();
  const began = performance.now();
  const failures: { kind: string; error: unknown }[] = [];
  let removed = 0;
  let open = sweeps.map((sweep) => ({ sweep, isPrepared: !sweep.prepare, limit: perStatement }));
  while (open.length > 0) {
    for (const turn of [...open]) {
      if (performance.now() - began >= budgetMs) return removed;
      const { sweep } = turn;
      const from = performance.now();
      try {
        if (!turn.isPrepared) await sweep.prepare?.(services, now);
        turn.isPrepared = true;
        const count = await sweep.remove(services, now, turn.limit);
        removed += count;
        turn.limit = nextLimit(turn.limit, count, performance.now() - from);
        countSwept(sweep.kind, count);
        if (count === 0) open = open.filter((other) => other !== turn);
      } catch (error) {
        turn.limit = Math.floor(turn.limit / 4);
        if (turn.limit < leastPerStatement) {
          services.log.error({ err: error, kind: sweep.kind }, 'a kind of old data could not be removed');
          failures.push({ kind: sweep.kind, error });
          open = open.filter((other) => other !== turn);
        }
      }
      await sleep(Math.max(shortestPauseMs, performance.now() - from));
    }
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures.map(({ error }) => error),
      `old data was not removed: ${failures.map(({ kind }) => kind).join(', ')}`,
    );
  return removed;
}
