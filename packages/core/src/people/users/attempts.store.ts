import { type Bindable, type Database, Prisma, prepared } from '../../base/db/index.ts';

export interface AttemptWindow {
  /** attempts in the current window including this one */
  count: number;
  /** whole seconds to its end, at least 1; 0 without an end */
  resetSeconds: number;
}

/** The window has ended, or begins so late that the database's clock has been set back since. */
const isOver = (seconds: Bindable<number | null>) => Prisma.sql`
  (a."windowStart" + ${seconds} * interval '1 s' <= now() OR a."windowStart" > now() + ${seconds} * interval '1 s')`;

const raise = prepared<{ key: string; windowSeconds: number | null; attempts: number }>(
  'raise-attempts',
  ({ key, windowSeconds, attempts }) => Prisma.sql`
    INSERT INTO "AuthAttempt" AS a ("key", "count", "windowStart")
    VALUES (${key}, ${attempts}, CASE WHEN ${windowSeconds}::int IS NULL THEN 'infinity' ELSE now() END)
    ON CONFLICT ("key") DO UPDATE SET
      "count" = CASE WHEN ${isOver(windowSeconds)} THEN excluded."count" ELSE a."count" + excluded."count" END,
      "windowStart" = CASE WHEN ${isOver(windowSeconds)} THEN now() ELSE a."windowStart" END
    RETURNING "count", CASE WHEN ${windowSeconds} IS NULL THEN 0
      ELSE least(${windowSeconds}, greatest(1, ceil(extract(epoch FROM "windowStart" + ${windowSeconds} * interval '1 s' - now()))))::int
      END AS "resetSeconds"`,
);

/**
 * Counts attempts, in a transaction of its own so that a failed login does not roll them back.
 *
 * @param windowSeconds null for a count without an end: its window begins at infinity, which is never past
 */
export async function raiseAttempts(
  database: Database,
  key: string,
  windowSeconds: number | null,
  attempts = 1,
): Promise<AttemptWindow> {
  const { rows } = await database.asyncCommit.query<AttemptWindow>(raise({ key, windowSeconds, attempts }));
  return rows[0] ?? { count: 1, resetSeconds: windowSeconds ?? 0 };
}

const giveBack = prepared<{ key: string }>(
  'give-back-attempt',
  ({ key }) => Prisma.sql`UPDATE "AuthAttempt" SET "count" = greatest(0, "count" - 1) WHERE "key" = ${key}`,
);

export async function giveBackAttempt(database: Database, key: string): Promise<void> {
  await database.asyncCommit.query(giveBack({ key }));
}
