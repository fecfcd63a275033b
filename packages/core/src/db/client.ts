import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { openPool } from './connect.ts';
import { PrismaClient } from './generated/client.ts';

/** Prisma's client, or that of a running transaction: stores accept both. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

export interface Database {
  /** typed access for everything outside the hot paths */
  prisma: PrismaClient;
  /** single-statement access for the hot paths (accept, events) */
  pool: pg.Pool;
  /** the same with `synchronous_commit=off`: for shared rows whose latest changes may be lost in a crash (limits, buckets, counters) */
  asyncCommit: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** size of the largest pools */
  connections?: number;
  /** Stops every statement that runs longer, with SQLSTATE 57014. Without it there is no limit. */
  statementTimeoutMs?: number;
}

export function openDatabase(
  url: string,
  { connections = 20, statementTimeoutMs }: DatabaseOptions = {},
): Database {
  const shared = {
    connectionString: url,
    // The client's limit also ends the wait for a server that has vanished without closing the connection.
    ...(statementTimeoutMs === undefined
      ? {}
      : { statement_timeout: statementTimeoutMs, query_timeout: statementTimeoutMs + 5_000 }),
  };
  const pool = openPool({ ...shared, max: connections, idleTimeoutMillis: 30_000 });
  const asyncCommit = openPool({
    ...shared,
    max: Math.max(2, Math.ceil(connections / 2)),
    options: '-c synchronous_commit=off',
    idleTimeoutMillis: 30_000,
  });
  const typed = openPool({ ...shared, max: connections, idleTimeoutMillis: 10_000 });
  const prisma = new PrismaClient({ adapter: new PrismaPg(typed) });
  return {
    prisma,
    pool,
    asyncCommit,
    async close() {
      await prisma.$disconnect();
      await Promise.all([typed.end(), pool.end(), asyncCommit.end()]);
    },
  };
}
