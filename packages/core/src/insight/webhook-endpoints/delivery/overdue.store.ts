import type { Pool } from 'pg';
import { Prisma, prepared } from '../../../base/db/index.ts';

export interface OverdueEndpoint {
  projectId: string;
  endpointId: string;
  seconds: number;
}

const overdue = prepared<{ seconds: number }>(
  'overdue-webhooks',
  ({ seconds }) => Prisma.sql`
WITH RECURSIVE waiting AS (
  (SELECT d."endpointId" FROM "WebhookDelivery" d WHERE d."status" = 'PENDING' ORDER BY d."endpointId" LIMIT 1)
  UNION ALL
  SELECT (
    SELECT d."endpointId" FROM "WebhookDelivery" d WHERE d."status" = 'PENDING' AND d."endpointId" > w."endpointId"
    ORDER BY d."endpointId" LIMIT 1)
  FROM waiting w WHERE w."endpointId" IS NOT NULL
)
SELECT e."projectId", e."id" AS "endpointId", extract(epoch FROM clock_timestamp() - h."nextAttemptAt")::float8 AS "seconds"
FROM waiting w JOIN "WebhookEndpoint" e ON e."id" = w."endpointId" CROSS JOIN LATERAL (
  SELECT d."nextAttemptAt", d."claimedUntil" FROM "WebhookDelivery" d WHERE d."endpointId" = e."id" AND d."status" = 'PENDING'
  ORDER BY d."nextAttemptAt" LIMIT 1) h
WHERE e."enabled" AND h."nextAttemptAt" < clock_timestamp() - ${seconds}::float8 * interval '1 second'
  AND coalesce(h."claimedUntil" < clock_timestamp(), true)
ORDER BY h."nextAttemptAt" LIMIT 20`,
);

/**
 * Endpoints whose first delivery has been due for longer than this, while no process makes an attempt.
 *
 * @param pool plans by keys
 */
export async function findOverdueDeliveries(pool: Pool, seconds: number): Promise<OverdueEndpoint[]> {
  const { rows } = await pool.query<OverdueEndpoint>(overdue({ seconds }));
  return rows;
}
