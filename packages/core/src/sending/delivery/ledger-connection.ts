import pg from 'pg';

/**
 * Right after a bulk insert the planner's statistics are wrong by orders of magnitude. Everything that the ledger asks is
 * a look-up by key of a few hundred rows, so its connections rule out every other plan.
 */
const planner =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan';

const retryDelayMs = 200;

/** One connection for one kind of work, made again when it breaks. Statements run one after another. */
export class LedgerConnection {
  readonly #pool: pg.Pool;

  constructor(url: string, options: { relaxed: boolean; connections?: number }) {
    this.#pool = new pg.Pool({
      connectionString: url,
      max: options.connections ?? 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 10_000,
      options: options.relaxed ? `${planner} -c synchronous_commit=off` : planner,
    });
    this.#pool.on('error', () => undefined);
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
      // A connection that failed may be in any state; the pool makes a new one.
      client.release(failure);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

/** SQLSTATE classes that mean "the database is away", not "the statement is wrong". */
export function databaseIsAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (/^(08|57P|53)/.test(code)) return true;
  if (/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code)) return true;
  return code === '' && /connection|timeout|terminated/i.test(error.message);
}

/** Repeats until the database answers; every other failure is thrown. */
export async function untilDatabaseAnswers<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const deadlock =
        error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');
      if (!deadlock && !databaseIsAway(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}
