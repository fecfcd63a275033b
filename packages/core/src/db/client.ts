import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { type Prisma, PrismaClient } from './generated/client.ts';

/** Prisma's client, or the one of a running transaction: stores accept either. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

export interface Database {
  /** typed access for everything outside the hot paths */
  prisma: PrismaClient;
  /** single-statement access for the hot paths (accept, events) */
  pool: pg.Pool;
  /** the same with `synchronous_commit=off`: for shared rows whose latest changes may be lost in a crash (limits, buckets, counters) */
  relaxed: pg.Pool;
  close(): Promise<void>;
}

// int8 counts and sequences fit into a double here; without a parser node-postgres gives strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function openDatabase(url: string, { connections = 20 }: { connections?: number } = {}): Database {
  const pool = new pg.Pool({ connectionString: url, max: connections, idleTimeoutMillis: 30_000 });
  const relaxed = new pg.Pool({
    connectionString: url,
    max: Math.max(2, Math.ceil(connections / 2)),
    options: '-c synchronous_commit=off',
    idleTimeoutMillis: 30_000,
  });
  // An idle connection that the server closed (restart) is replaced by the pool; without a listener it would end the process.
  for (const each of [pool, relaxed]) each.on('error', () => undefined);
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: connections }) });
  return {
    prisma,
    pool,
    relaxed,
    async close() {
      await Promise.all([prisma.$disconnect(), pool.end(), relaxed.end()]);
    },
  };
}

export type { Prisma };
