import type pg from 'pg';
import { openPool } from '../../base/db/index.ts';
import { isRefused } from './database-watch.ts';

/**
 * Right after a bulk insert the planner's statistics are wrong by orders of magnitude. All queries of the ledger
 * look up a few hundred rows by key, so its connections disable every other plan.
 */
const planner =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_memoize=off -c plan_cache_mode=force_generic_plan';

/**
 * No statement of the ledger takes longer. The server's limit releases its locks; the client's limit also ends a wait for a
 * server that has vanished without closing the connection.
 */
const statementLimitMs = 12_000;
const answerLimitMs = 15_000;

/** One connection for one kind of work, replaced when it breaks. Statements run one after another. */
export class LedgerConnection {
  readonly #open: () => pg.Pool;
  #pool: pg.Pool;

  constructor(url: string, { asyncCommit }: { asyncCommit: boolean }) {
    const limits = `-c statement_timeout=${statementLimitMs} -c tcp_user_timeout=${answerLimitMs}`;
    this.#open = () =>
      openPool({
        connectionString: url,
        max: 1,
        idleTimeoutMillis: 0,
        connectionTimeoutMillis: 10_000,
        query_timeout: answerLimitMs,
        options: `${planner} ${limits}${asyncCommit ? ' -c synchronous_commit=off' : ''}`,
      });
    this.#pool = this.#open();
  }

  /** Another connection has failed: this one may be broken without knowing it, so the next statement opens a new one. */
  replace(): void {
    const broken = this.#pool;
    this.#pool = this.#open();
    broken.end().catch(() => undefined);
  }

  /** @param work single statements, no transaction */
  async use<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw failure;
    } finally {
      // A failed connection may be in any state; the pool opens a new one. After refused values it is the connection to go on with: on
      // another one, the next statement could find rows still locked by the one that is being rolled back, and skip them.
      client.release(failure && isRefused(failure) ? undefined : failure);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
