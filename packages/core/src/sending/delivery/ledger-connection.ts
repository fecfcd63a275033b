import type pg from 'pg';
import { databaseIsAway, openPool } from '../../db/index.ts';

/**
 * Right after a bulk insert the planner's statistics are wrong by orders of magnitude. All queries of the ledger
 * look up a few hundred rows by key, so its connections disable every other plan.
 */
const planner =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan';

const retryDelayMs = 200;

/** One connection for one kind of work, replaced when it breaks. Statements run one after another. */
export class LedgerConnection {
  readonly #pool: pg.Pool;

  constructor(url: string, options: { asyncCommit: boolean; connections?: number }) {
    this.#pool = openPool({
      connectionString: url,
      max: options.connections ?? 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 10_000,
      options: options.asyncCommit ? `${planner} -c synchronous_commit=off` : planner,
    });
  }

  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw failure;
    } finally {
      // A failed connection may be in any state; the pool opens a new one.
      client.release(failure);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** Retries until the database is available; an error of the statement itself is thrown. */
export async function untilDatabaseAnswers<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!databaseIsAway(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}
