import type { Pool } from 'pg';
import { Prisma, prepared } from '../../../base/db/index.ts';
import { failingDays, retrySeconds } from './retry.rules.ts';

/** The result of one attempt. */
export interface Settled {
  id: string;
  token: string;
  endpointId: string;
  delivered: boolean;
  gone: boolean;
  attempt: {
    at: string;
    statusCode: number | null;
    error: string | null;
    ms: number;
    response: string | null;
  };
}

/** Attempts that a delivery keeps: those of the schedule, and of two replays. */
const keptAttempts = 30;

/**
 * Records attempts: settles each delivery or sets its next attempt, and notes since when an endpoint has been failing. An endpoint's row is
 * only written when its first attempt fails, and when one succeeds again.
 */
const settle = prepared<{ results: string }>(
  'settle-webhooks',
  ({ results }) => Prisma.sql`
WITH result AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset(${results}::jsonb)
    AS r("id" uuid, "token" uuid, "endpointId" uuid, "delivered" boolean, "gone" boolean, "attempt" jsonb)
), locked AS MATERIALIZED (
  SELECT d."id" FROM (SELECT "id", "token" FROM result ORDER BY "id") r
  CROSS JOIN LATERAL (SELECT "id" FROM "WebhookDelivery" WHERE "id" = r."id" AND "token" = r."token" FOR UPDATE) d
), written AS (
  UPDATE "WebhookDelivery" d SET
    "status" = CASE WHEN r."delivered" THEN 'DELIVERED'::"WebhookDeliveryStatus"
      WHEN r."gone" OR d."tries" >= ${retrySeconds.length}::int THEN 'FAILED' ELSE 'PENDING' END,
    "nextAttemptAt" = CASE WHEN NOT r."delivered" AND NOT r."gone"
      THEN now() + (${[...retrySeconds]}::int[])[d."tries" + 1] * interval '1 second' END,
    "tries" = d."tries" + 1,
    "attempts" = CASE WHEN jsonb_array_length(d."attempts") >= ${keptAttempts}::int THEN d."attempts" - 0 ELSE d."attempts" END || r."attempt",
    "claimedUntil" = NULL, "token" = NULL
  -- An array, so that each row is found by its id, in the slice that this names.
  FROM result r JOIN locked l ON l."id" = r."id" WHERE d."id" = ANY(ARRAY[r."id"])
), endpoint AS MATERIALIZED (
  SELECT "endpointId" AS "id", bool_or("delivered") AS "delivered" FROM result GROUP BY 1
), healed AS (
  UPDATE "WebhookEndpoint" e SET "failingSince" = NULL FROM endpoint x
  WHERE e."id" = x."id" AND x."delivered" AND e."failingSince" IS NOT NULL
), failing AS (
  UPDATE "WebhookEndpoint" e SET "failingSince" = now() FROM endpoint x
  WHERE e."id" = x."id" AND NOT x."delivered" AND e."failingSince" IS NULL
)
SELECT e."id" FROM endpoint x JOIN "WebhookEndpoint" e ON e."id" = x."id"
WHERE NOT x."delivered" AND e."enabled" AND e."failingSince" <= now() - ${failingDays}::int * interval '1 day'`,
);

/** @returns the endpoints that have been failing for too long */
export async function settleDeliveries(pool: Pool, results: readonly Settled[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(settle({ results: JSON.stringify(results) }));
  return rows.map(({ id }) => id);
}
