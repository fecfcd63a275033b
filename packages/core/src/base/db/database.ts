import type pg from 'pg';
import type { PrismaClient } from './generated/client.ts';

/** Prisma's client, or that of a running transaction: stores accept both. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$transaction' | '$extends'>;

/** The pools differ in what a statement on them promises. CONTRIBUTING says which way of querying belongs to which of them. */
export interface Database {
  /** for everything outside the hot paths, with connections of its own */
  prisma: PrismaClient;
  /** durable: what a statement changed is on the disk when it returns */
  durable: pg.Pool;
  /** `synchronous_commit=off`: returns before the disk, for shared rows whose latest changes may be lost in a crash (limits, buckets) */
  asyncCommit: pg.Pool;
  /** durable, for statements that store many requests at once: plans by index only, and no long waits for locks */
  grouped: pg.Pool;
  /**
   * Runs `work` with a database of which nothing remains but what it counts with `asyncCommit`. A few run at a time, the others wait.
   *
   * @see undone
   */
  undone<T>(work: (database: Database) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
