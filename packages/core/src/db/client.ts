import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { openPool } from './connect.ts';
import { type Prisma, PrismaClient } from './generated/client.ts';

/** Prisma's client, or the one of a running transaction: stores accept either. */
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

export function openDatabase(url: string, { connections = 20 }: { connections?: number } = {}): Database {
  const pool = openPool({ connectionString: url, max: connections, idleTimeoutMillis: 30_000 });
  const asyncCommit = openPool({
    connectionString: url,
    max: Math.max(2, Math.ceil(connections / 2)),
    options: '-c synchronous_commit=off',
    idleTimeoutMillis: 30_000,
  });
  const typed = openPool({ connectionString: url, max: connections, idleTimeoutMillis: 10_000 });
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

export type { Prisma };
