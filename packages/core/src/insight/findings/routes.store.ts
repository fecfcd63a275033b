import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

export interface PausedRoute {
  route: string;
  /** the sender domain that is paused; null: all email */
  sender: string | null;
  reason: string;
  since: Date;
}

const pauses = prepared<Record<string, never>>(
  'paused-routes',
  () => Prisma.sql`
  SELECT "id" AS "route", NULL AS "sender", coalesce("reason", '') AS "reason", "pausedAt" AS "since" FROM "Route" WHERE "pausedAt" IS NOT NULL
  UNION ALL
  SELECT s."routeId", coalesce((SELECT d."domain" FROM "Domain" d WHERE d."id"::text = s."sender"), s."sender"), s."reason", s."pausedAt"
  FROM (SELECT * FROM "SenderPause" ORDER BY "pausedAt" LIMIT 50) s
  ORDER BY 4`,
);

/** What mail servers take no email of at present, by any route that was ever used. */
export async function readPauses(pool: Pool): Promise<PausedRoute[]> {
  const { rows } = await pool.query<PausedRoute>(pauses({}));
  return rows;
}
