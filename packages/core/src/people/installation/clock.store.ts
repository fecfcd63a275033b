import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

/** Two readings of the database's clock. */
export interface ClockReading {
  /** now, in milliseconds since 1970 */
  now: number;
  /** when it was last marked; null before the first mark */
  marked: number | null;
}

const read = prepared(
  'read-clock',
  () => Prisma.sql`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
      (SELECT extract(epoch FROM "at") * 1000 FROM "ClockMark" WHERE "id" = 1)::float8 AS marked`,
);

export async function readClock(pool: Pool): Promise<ClockReading> {
  const { rows } = await pool.query<ClockReading>(read({}));
  const [reading] = rows;
  if (!reading) throw new Error('the clock of the database was not read');
  return reading;
}

const mark = prepared(
  'mark-clock',
  () => Prisma.sql`
    INSERT INTO "ClockMark" ("id", "at") VALUES (1, clock_timestamp()) ON CONFLICT ("id") DO UPDATE SET "at" = clock_timestamp()
    RETURNING (extract(epoch FROM "at") * 1000)::float8 AS at`,
);

/** Remembers the time of the database's clock. @returns what is stored */
export async function markClock(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ at: number }>(mark({}));
  return rows[0]?.at ?? 0;
}
