import { createHash } from 'node:crypto';
import type pg from 'pg';
import { Prisma } from './generated/client.ts';

/** What runs SQL: Prisma's client, one of its transactions, or a plain one. */
export interface SqlDb {
  $queryRaw<T = unknown>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<T>;
  $executeRaw(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]): Promise<number>;
  $queryRawUnsafe<T = unknown>(query: string, ...values: unknown[]): Promise<T>;
}

/** Settings of PostgreSQL for one transaction: constants of the code. */
export type TransactionSettings = Readonly<Record<string, string>>;

/** A transaction that waits longer for a lock fails and is retried, so that it does not occupy a connection. */
const lockTimeout = '20s';

/** Names of prepared statements by text. The texts are constants of the code, so the map stays small. */
const mostNames = 300;
const names = new Map<string, string>();

/**
 * Runs `work` in a transaction on a connection of a pool. For hot paths: statements are prepared once per
 * connection, which costs a fraction of a Prisma transaction.
 *
 * @throws what `work` throws, after the transaction was rolled back
 */
export const plainTransaction = <T>(
  pool: pg.Pool,
  work: (db: SqlDb) => Promise<T>,
  settings: TransactionSettings = {},
): Promise<T> => clientTransaction(pool, (client) => work(plainDb(client)), settings);

/** The same for statements that are prepared by name. */
export async function clientTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.ClientBase) => Promise<T>,
  settings: TransactionSettings = {},
): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  const set = Object.entries({ lock_timeout: lockTimeout, ...settings }).map(
    ([name, value]) => `SET LOCAL ${name} = '${value}'`,
  );
  try {
    await client.query(['BEGIN', ...set].join('; '));
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

export function plainDb(client: pg.ClientBase): SqlDb {
  const run = (text: string, values: unknown[]): Promise<pg.QueryResult> =>
    client.query({ ...nameOf(text), text, values });
  const runSql = (query: TemplateStringsArray | Prisma.Sql, values: unknown[]): Promise<pg.QueryResult> => {
    const sql = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    return run(sql.text, sql.values);
  };
  return {
    $queryRaw: async <T>(query: TemplateStringsArray | Prisma.Sql, ...values: unknown[]) =>
      (await runSql(query, values)).rows as T,
    $executeRaw: async (query, ...values) => (await runSql(query, values)).rowCount ?? 0,
    $queryRawUnsafe: async <T>(query: string, ...values: unknown[]) => (await run(query, values)).rows as T,
  };
}

function nameOf(text: string): { name?: string } {
  const known = names.get(text);
  if (known !== undefined) return { name: known };
  if (names.size >= mostNames) return {};
  const name = `sql-${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
  names.set(text, name);
  return { name };
}
