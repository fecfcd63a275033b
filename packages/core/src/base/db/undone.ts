import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { Database } from './database.ts';
import { PrismaClient } from './generated/client.ts';

/** Longer than any transaction of an operation may take; what is undone holds its locks until then. */
const timeLimits = "SET LOCAL lock_timeout = '20s'; SET LOCAL statement_timeout = '30s'";

/**
 * Runs `work` with a database of which nothing remains: the statements of its pools, and of Prisma, run on one connection, in one
 * transaction that is rolled back. Each statement and each transaction inside is a savepoint, so one that fails undoes itself alone, as
 * it does elsewhere. `asyncCommit` is the real pool: the counts of limits stay, or attempts would be free.
 *
 * @param pool where its connection comes from
 * @throws what `work` throws
 */
export async function undone<T>(
  database: Database,
  pool: pg.Pool,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query(`BEGIN; ${timeLimits}`);
    const connection = new UndoneConnection(client);
    const only = connection.poolLike(pool);
    const prisma = new PrismaClient({ adapter: new PrismaPg(only) });
    try {
      const inside: Database = {
        ...database,
        prisma,
        durable: only,
        grouped: only,
        undone: (inner) => inner(inside),
      };
      return await work(inside);
    } finally {
      await connection.end();
      await prisma.$disconnect();
    }
  } finally {
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    client.release(broken);
  }
}

type Query = (...args: unknown[]) => Promise<pg.QueryResult>;

interface OpenTransaction {
  readonly savepoint: string;
  /** after a statement that failed: it takes no other */
  failed: boolean;
  /** what it did was undone before its end, so that others could go on */
  gone: boolean;
}

/** Statements of several callers on one connection, one after another. */
class UndoneConnection {
  readonly #query: Query;
  /** the end of the statement before */
  #last: Promise<unknown> = Promise.resolve();
  /** the end of the transaction before */
  #lastTransaction: Promise<unknown> = Promise.resolve();
  #open: OpenTransaction | null = null;
  #savepoints = 0;
  #ended = false;

  constructor(client: pg.PoolClient) {
    this.#query = client.query.bind(client) as Query;
  }

  /** In the place of a pool, which it takes the class of: Prisma asks for it. */
  poolLike(pool: pg.Pool): pg.Pool {
    return Object.assign(Object.create(pool) as pg.Pool, {
      query: (...args: unknown[]) => this.#alone(args),
      connect: () => this.#connect(),
      on: () => pool,
      removeListener: () => pool,
      end: async () => undefined,
    });
  }

  /** Later statements are refused: after the rollback they would be those of nobody. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#last.catch(() => undefined);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) return Promise.reject(new Error('this dry run has ended'));
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #alone(args: unknown[]): Promise<pg.QueryResult> {
    const savepoint = this.#nextSavepoint();
    return this.#inTurn(async () => {
      await this.#leaveFailed();
      await this.#query(`SAVEPOINT ${savepoint}`);
      try {
        const result = await this.#query(...args);
        await this.#query(`RELEASE SAVEPOINT ${savepoint}`);
        return result;
      } catch (error) {
        await this.#query(`ROLLBACK TO SAVEPOINT ${savepoint}; RELEASE SAVEPOINT ${savepoint}`);
        throw error;
      }
    });
  }

  /**
   * A statement beside a transaction that failed and is still open runs elsewhere, on a connection of its own. Here it would be refused with
   * that transaction, of which nothing remains in any case: it is undone first.
   */
  async #leaveFailed(): Promise<void> {
    const open = this.#open;
    if (!open?.failed || open.gone) return;
    await this.#query(`ROLLBACK TO SAVEPOINT ${open.savepoint}`);
    open.gone = true;
  }

  /** A client for a transaction. There is one at a time, as their savepoints nest. */
  async #connect(): Promise<pg.PoolClient> {
    const before = this.#lastTransaction;
    let release = (): void => undefined;
    this.#lastTransaction = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    const open: OpenTransaction = { savepoint: this.#nextSavepoint(), failed: false, gone: false };
    this.#open = open;
    const client = {
      query: (...args: unknown[]) => this.#inTurn(() => this.#within(open, args)),
      release: () => {
        this.#open = null;
        release();
      },
      on: () => client,
      removeListener: () => client,
    };
    return client as unknown as pg.PoolClient;
  }

  async #within(open: OpenTransaction, [given, ...rest]: unknown[]): Promise<pg.QueryResult> {
    const text = typeof given === 'string' ? given : (given as pg.QueryConfig).text;
    const replaced = inSavepoint(text, open.savepoint);
    if (replaced !== null) return this.#query(replaced);
    if (open.gone) throw new Error('a statement of this transaction failed: it can only end');
    try {
      const result = await this.#query(given, ...rest);
      if (/^ROLLBACK TO\b/i.test(text)) open.failed = false;
      return result;
    } catch (error) {
      open.failed = true;
      throw error;
    }
  }

  #nextSavepoint(): string {
    this.#savepoints += 1;
    return `undone${this.#savepoints}`;
  }
}

/** What the statement that begins or ends a transaction is within another one; null for all others. */
function inSavepoint(text: string, savepoint: string): string | null {
  const begin = /^BEGIN\b(.*)$/is.exec(text);
  if (begin) return `SAVEPOINT ${savepoint}${begin[1]}`;
  if (/^COMMIT\b/i.test(text)) return `RELEASE SAVEPOINT ${savepoint}`;
  if (/^ROLLBACK$/i.test(text)) return `ROLLBACK TO SAVEPOINT ${savepoint}; RELEASE SAVEPOINT ${savepoint}`;
  // It must be the first of a transaction; the one of a dry run has long begun.
  return /^SET TRANSACTION\b/i.test(text) ? 'SELECT' : null;
}
