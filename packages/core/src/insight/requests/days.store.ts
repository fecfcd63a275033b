import { type Database, type Db, Prisma } from '../../base/db/index.ts';
import { dayMs } from './requests.rules.ts';

/** The tables of the log; each has one table per day of UTC. */
const parents = ['RequestEntry', 'RequestCount'] as const;
type Parent = (typeof parents)[number];

/** `20261128`, of the beginning of a day in milliseconds. */
const suffixOf = (day: number): string => new Date(day).toISOString().slice(0, 10).replaceAll('-', '');

/** The name of the table of a day as SQL; never given from outside. */
const tableOf = (parent: Parent, day: number): Prisma.Sql => Prisma.raw(`"${parent}_${suffixOf(day)}"`);

/** One process at a time makes or drops tables, and none waits long for readers: writers and other readers would wait behind it. */
async function alone<T>(database: Database, work: (db: Db) => Promise<T>): Promise<T> {
  return database.prisma.$transaction(async (db) => {
    await db.$executeRaw`SET LOCAL lock_timeout = '2s'`;
    await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtext('request log'))::text`;
    return work(db);
  });
}

/** Makes the tables of these days where they are missing. */
export const ensureDays = (database: Database, days: readonly number[]): Promise<void> =>
  alone(database, async (db) => {
    const present = new Set((await findDays(db)).map(({ name }) => name));
    for (const day of days)
      for (const parent of parents)
        if (!present.has(`${parent}_${suffixOf(day)}`)) await createDay(db, parent, day);
  });

async function createDay(db: Db, parent: Parent, day: number): Promise<void> {
  const table = tableOf(parent, day);
  const whole = Prisma.raw(`"${parent}"`);
  const bound = (ms: number): Prisma.Sql => Prisma.raw(`'${new Date(ms).toISOString()}'`);
  // Attached and not created as a partition, which would wait for every reader of the log.
  await db.$executeRaw`CREATE TABLE ${table} (LIKE ${whole} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`;
  await db.$executeRaw`ALTER TABLE ${whole} ATTACH PARTITION ${table} FOR VALUES FROM (${bound(day)}) TO (${bound(day + dayMs)})`;
}

interface Table {
  name: string;
  bytes: number;
}

const findDays = (db: Db): Promise<Table[]> =>
  db.$queryRaw`
    SELECT c."relname"::text AS "name", pg_total_relation_size(c."oid")::float8 AS "bytes"
    FROM pg_inherits i JOIN pg_class c ON c."oid" = i."inhrelid"
    WHERE i."inhparent" IN ('"RequestEntry"'::regclass, '"RequestCount"'::regclass)`;

/** The days of the log with the bytes of their tables and indexes, oldest first. */
export async function storedDays({ prisma }: Database): Promise<{ day: number; bytes: number }[]> {
  const bytesOf = new Map<number, number>();
  for (const { name, bytes } of await findDays(prisma)) {
    const [, year, month, date] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
    const day = Date.UTC(Number(year), Number(month) - 1, Number(date));
    bytesOf.set(day, (bytesOf.get(day) ?? 0) + bytes);
  }
  return [...bytesOf].map(([day, bytes]) => ({ day, bytes })).sort((a, b) => a.day - b.day);
}

export const storedBytes = async (database: Database): Promise<number> =>
  (await storedDays(database)).reduce((sum, { bytes }) => sum + bytes, 0);

/** Drops the tables of a day; those that another process has dropped are left out. */
export const dropDay = (database: Database, day: number): Promise<void> =>
  alone(database, async (db) => {
    for (const parent of parents) await db.$executeRaw`DROP TABLE IF EXISTS ${tableOf(parent, day)}`;
  });

/** Whether a row found no table for its day (SQLSTATE 23514, check_violation). */
export const isPartitionMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '23514';
