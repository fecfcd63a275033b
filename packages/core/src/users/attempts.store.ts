import type { Database } from '../db/index.ts';

export interface AttemptWindow {
  /** attempts in the current window including this one */
  count: number;
  /** whole seconds to its end, at least 1 */
  resetSeconds: number;
}

/** Counts attempts, in a transaction of its own so that a failed login does not roll them back. */
export async function raiseAttempts(
  database: Database,
  key: string,
  windowSeconds: number,
  attempts = 1,
): Promise<AttemptWindow> {
  const { rows } = await database.asyncCommit.query<AttemptWindow>(
    `INSERT INTO "AuthAttempt" AS a ("key", "count", "windowStart") VALUES ($1, $3, now())
     ON CONFLICT ("key") DO UPDATE SET
       "count" = CASE WHEN a."windowStart" + $2 * interval '1 s' <= now() THEN excluded."count" ELSE a."count" + excluded."count" END,
       "windowStart" = CASE WHEN a."windowStart" + $2 * interval '1 s' <= now() THEN now() ELSE a."windowStart" END
     RETURNING "count",
       least($2, greatest(1, ceil(extract(epoch FROM "windowStart" + $2 * interval '1 s' - now()))))::int AS "resetSeconds"`,
    [key, windowSeconds, attempts],
  );
  return rows[0] ?? { count: 1, resetSeconds: windowSeconds };
}

export async function giveBackAttempt(database: Database, key: string): Promise<void> {
  await database.asyncCommit.query(
    'UPDATE "AuthAttempt" SET "count" = greatest(0, "count" - 1) WHERE "key" = $1',
    [key],
  );
}
