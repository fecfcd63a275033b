import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

export interface OverdueMail {
  /** projects whose email is due and is taken by no process */
  projects: { projectId: string; seconds: number }[];
  /** batches whose holder is gone, and that no process has ended */
  abandoned: number;
  /** for how long the first of them has been */
  abandonedSeconds: number | null;
  /** the route is paused: email waits for its mail server */
  isPaused: boolean;
}

/**
 * A project has a rate, so that its email may be due for hours while it is sent. That of a project of which no batch is claimed, and whose
 * bucket of the rate no claim has touched, is held by nothing.
 */
const overdue = prepared<{ seconds: number }>(
  'overdue-mail',
  ({ seconds }) => Prisma.sql`
WITH RECURSIVE project AS (
  (SELECT "projectId" FROM "DeliveryBatch" WHERE "token" IS NULL AND NOT "held" ORDER BY "projectId" LIMIT 1)
  UNION ALL
  SELECT (SELECT b."projectId" FROM "DeliveryBatch" b WHERE b."token" IS NULL AND NOT b."held" AND b."projectId" > p."projectId" ORDER BY b."projectId" LIMIT 1)
  FROM project p WHERE p."projectId" IS NOT NULL
), level AS (
  SELECT p."projectId", l."priority", t."again" FROM project p CROSS JOIN LATERAL (
    WITH RECURSIVE l AS (
      (SELECT b."priority" FROM "DeliveryBatch" b WHERE b."projectId" = p."projectId" AND b."token" IS NULL AND NOT b."held" ORDER BY b."priority" LIMIT 1)
      UNION ALL
      SELECT (SELECT b."priority" FROM "DeliveryBatch" b WHERE b."projectId" = p."projectId" AND b."token" IS NULL AND NOT b."held"
        AND b."priority" > l."priority" ORDER BY b."priority" LIMIT 1) FROM l WHERE l."priority" IS NOT NULL
    ) SELECT "priority" FROM l WHERE "priority" IS NOT NULL) l
  CROSS JOIN unnest('{false,true}'::boolean[]) AS t("again") WHERE p."projectId" IS NOT NULL
), due AS (
  SELECT l."projectId", min(h."at") AS "at" FROM level l CROSS JOIN LATERAL (
    SELECT b."nextAttemptAt" AS "at" FROM "DeliveryBatch" b
    WHERE b."projectId" = l."projectId" AND b."priority" = l."priority" AND b."again" = l."again" AND b."token" IS NULL AND NOT b."held"
    ORDER BY b."nextAttemptAt" LIMIT 1) h
  GROUP BY 1 HAVING min(h."at") < clock_timestamp() - ${seconds}::float8 * interval '1 second'
), claimed AS MATERIALIZED (
  SELECT DISTINCT "projectId" FROM "DeliveryBatch" WHERE "token" IS NOT NULL AND "leaseUntil" >= clock_timestamp() - interval '1 minute'
), late AS (
  SELECT d."projectId", extract(epoch FROM clock_timestamp() - d."at")::float8 AS "seconds" FROM due d
  WHERE NOT EXISTS (SELECT FROM claimed c WHERE c."projectId" = d."projectId")
    AND NOT EXISTS (SELECT FROM "SendBucket" s WHERE s."projectId" = d."projectId"
      AND s."updatedAt" > clock_timestamp() - ${seconds}::float8 * interval '1 second')
  ORDER BY d."at" LIMIT 20
), lost AS (
  SELECT count(*)::int AS "count", extract(epoch FROM clock_timestamp() - min("leaseUntil"))::float8 AS "seconds" FROM (
    SELECT "leaseUntil" FROM "DeliveryBatch" WHERE "token" IS NOT NULL AND "leaseUntil" < clock_timestamp() - ${seconds}::float8 * interval '1 second'
    ORDER BY "leaseUntil" LIMIT 1000) b
)
SELECT (SELECT coalesce(json_agg(late), '[]') FROM late) AS "projects", lost."count" AS "abandoned", lost."seconds" AS "abandonedSeconds",
  EXISTS (SELECT FROM "Route" WHERE "pausedAt" IS NOT NULL) AS "isPaused"
FROM lost`,
);

/**
 * Email that has been due for longer than this, while no process works on that of its project. Steps through indexes, whatever waits.
 *
 * @param pool plans by keys
 */
export async function findOverdueMail(pool: Pool, seconds: number): Promise<OverdueMail> {
  const { rows } = await pool.query<OverdueMail>(overdue({ seconds }));
  return rows[0] ?? { projects: [], abandoned: 0, abandonedSeconds: null, isPaused: false };
}
