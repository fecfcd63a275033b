import type { Pool } from 'pg';
import { Prisma, prepared } from '../../../base/db/index.ts';

export interface OverdueHost {
  host: string;
  seconds: number;
}

const overdue = prepared<{ seconds: number }>(
  'overdue-requests',
  ({ seconds }) => Prisma.sql`
WITH RECURSIVE waiting AS (
  (SELECT r."host" FROM "StepRequest" r ORDER BY r."host" LIMIT 1)
  UNION ALL
  SELECT (SELECT r."host" FROM "StepRequest" r WHERE r."host" > w."host" ORDER BY r."host" LIMIT 1)
  FROM waiting w WHERE w."host" IS NOT NULL
)
SELECT w."host", extract(epoch FROM clock_timestamp() - h."dueAt")::float8 AS "seconds" FROM waiting w CROSS JOIN LATERAL (
  SELECT r."dueAt" FROM "StepRequest" r WHERE r."host" = w."host" ORDER BY r."dueAt" LIMIT 1) h
WHERE h."dueAt" < clock_timestamp() - ${seconds}::float8 * interval '1 second' ORDER BY h."dueAt" LIMIT 20`,
);

/**
 * Hosts whose first request of a WEBHOOK step has been due for longer than this. A claim moves the time on.
 *
 * @param pool plans by keys
 */
export async function findOverdueRequests(pool: Pool, seconds: number): Promise<OverdueHost[]> {
  const { rows } = await pool.query<OverdueHost>(overdue({ seconds }));
  return rows;
}
