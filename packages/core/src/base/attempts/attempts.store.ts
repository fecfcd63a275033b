import { Prisma, type SqlDb } from '../db/index.ts';
import type { Services } from '../kernel/index.ts';

/** How often something may be tried without a key. */
export interface AttemptLimit {
  scope: string;
  /** what is limited: a keyed hash, or an id without dashes, in hex */
  key: string;
  /** null where the installation counts */
  project: string | null;
  most: number;
  /** from the first attempt on */
  seconds: number;
}

export interface Attempt {
  /** the scope of the limit that refused it; null if it was taken from all */
  over: string | null;
  /** whole seconds until that limit begins anew */
  resetSeconds: number;
}

/**
 * Takes one attempt of each limit, or of none if one is used up: exact over all processes (take-attempts.sql). Limits are locked until the
 * transaction ends, in the order given, which has to be the same wherever a scope is used.
 */
export async function takeAttempts(db: SqlDb, limits: readonly AttemptLimit[]): Promise<Attempt> {
  const [row] = await db.$queryRaw<Attempt[]>`SELECT * FROM take_attempts(${JSON.stringify(limits)}::jsonb)`;
  return row ?? { over: null, resetSeconds: 0 };
}

/** The statement of `takeAttempts`, for a larger one. */
export const takenAttempts = (limits: readonly AttemptLimit[]): Prisma.Sql =>
  Prisma.sql`SELECT * FROM take_attempts(${JSON.stringify(limits)}::jsonb)`;

/** Removes limits that have ended. @returns how many */
export const sweepPublicAttempts = (
  { database }: Pick<Services, 'database'>,
  now: Date,
  limit: number,
): Promise<number> => database.prisma.$executeRaw`
  DELETE FROM "PublicAttempt" WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM "PublicAttempt" WHERE "expiresAt" < ${now}::timestamptz LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))`;
