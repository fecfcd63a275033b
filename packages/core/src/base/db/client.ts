import { PrismaPg } from '@prisma/adapter-pg';
import { sampleConnections } from '../kernel/metrics.ts';
import { openPool } from './connect.ts';
import type { Database, Db } from './database.ts';
import { PrismaClient } from './generated/client.ts';
import type { SqlDb } from './plain-transaction.ts';
import { undone } from './undone.ts';

export type { Database, Db };

export interface DatabaseOptions {
  /** size of the largest pools */
  connections?: number;
  /** Stops every statement that runs longer, with SQLSTATE 57014. Without it there is no limit. */
  statementTimeoutMs?: number;
  /** Stops every statement that waits longer for a lock, with SQLSTATE 55P03. Those of `grouped` wait half a second. */
  lockTimeoutMs?: number;
  /** How long a transaction may wait for its program, in milliseconds; default a minute. Then the server ends its connection, and with it its locks. */
  idleInTransactionMs?: number;
  /** How long a statement that was not sent yet waits for a server that is away, in milliseconds; default not at all. */
  patienceMs?: number;
}

/** A connection is a process of the server: one that is not needed ends, in milliseconds. */
const idleTimeoutMillis = 10_000;

/**
 * The locks of a process that was stopped in a transaction, and of one on a machine that is gone, would hold up the others for as long as its connection
 * lasts; its snapshot slows down all queues.
 */
const longestIdleInTransactionMs = 60_000;

/** How long a transaction waits for its connection, in milliseconds. By default Prisma gives up sooner than a server that is away comes back. */
const transactionWaitMs = 10_000;

/** For statements that look rows up by key; the planner must not choose otherwise while statistics of a new table are missing. */
export const byKeys = {
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
};
const groupSettings = Object.entries({ ...byKeys, lock_timeout: '500' }).map(
  ([name, value]) => `${name}=${value}`,
);

/** Has a transaction find rows by index only, as the pool `grouped` does. */
export const planByKeys = (db: Pick<SqlDb, '$queryRaw'>): Promise<unknown> => db.$queryRaw`
  SELECT count(set_config("name", "value", true)) FROM jsonb_each_text(${JSON.stringify(byKeys)}::jsonb) AS s("name", "value")`;

export function openDatabase(
  url: string,
  {
    connections = 20,
    statementTimeoutMs,
    lockTimeoutMs,
    idleInTransactionMs = longestIdleInTransactionMs,
    patienceMs,
  }: DatabaseOptions = {},
): Database {
  const shared = {
    connectionString: url,
    patienceMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    // The client's limit also ends the wait for a server that has vanished without closing the connection.
    ...(statementTimeoutMs === undefined
      ? {}
      : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 5_000 }),
  };
  const waiting = { ...shared, ...(lockTimeoutMs === undefined ? {} : { lock_timeout: lockTimeoutMs }) };
  const durable = openPool({ ...waiting, max: connections, idleTimeoutMillis });
  const asyncCommit = openPool({
    ...waiting,
    max: Math.max(2, Math.ceil(connections / 2)),
    options: '-c synchronous_commit=off',
    idleTimeoutMillis,
  });
  const grouped = openPool({
    ...shared,
    max: 4,
    options: groupSettings.map((setting) => `-c ${setting}`).join(' '),
    idleTimeoutMillis,
  });
  const rehearsals = openPool({ ...shared, max: 4, idleTimeoutMillis });
  const ofPrisma = openPool({ ...waiting, max: connections, idleTimeoutMillis });
  const prisma = new PrismaClient({
    adapter: new PrismaPg(ofPrisma),
    transactionOptions: { maxWait: transactionWaitMs },
  });
  const forget = sampleConnections(() =>
    Object.entries({ durable, asyncCommit, grouped, rehearsals, prisma: ofPrisma }).flatMap(([pool, of]) => [
      { labels: { pool, state: 'busy' }, value: of.totalCount - of.idleCount },
      { labels: { pool, state: 'idle' }, value: of.idleCount },
      { labels: { pool, state: 'waiting' }, value: of.waitingCount },
    ]),
  );
  const database: Database = {
    prisma,
    durable,
    asyncCommit,
    grouped,
    undone: (work) => undone(database, rehearsals, work),
    async close() {
      forget();
      await prisma.$disconnect();
      await Promise.all([ofPrisma.end(), durable.end(), asyncCommit.end(), grouped.end(), rehearsals.end()]);
    },
  };
  return database;
}
