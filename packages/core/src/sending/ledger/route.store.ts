import type { PoolClient } from 'pg';
import { Prisma, prepared } from '../../db/index.ts';

export interface RouteState {
  paused: boolean;
  reason: string | null;
  nextProbeAt: Date | null;
}

const open: RouteState = { paused: false, reason: null, nextProbeAt: null };

export async function readRoute(client: PoolClient, id: string): Promise<RouteState> {
  const { rows } = await client.query<RouteState>(routeState({ id }));
  return rows[0] ?? open;
}

const routeState = prepared<{ id: string }>(
  'read-route',
  ({ id }) => Prisma.sql`
    SELECT "pausedAt" IS NOT NULL AS paused, "reason", "nextProbeAt" FROM "Route" WHERE "id" = ${id}`,
);

/** Pauses a route; a paused route keeps its next probe, so that simultaneous failures count once. */
export async function pauseRoute(
  client: PoolClient,
  id: string,
  reason: string,
  firstProbeSeconds: number,
): Promise<void> {
  await client.query(
    `INSERT INTO "Route" AS r ("id", "pausedAt", "reason", "failures", "nextProbeAt", "updatedAt")
     VALUES ($1, now(), $2, 1, now() + $3 * interval '1 second', now())
     ON CONFLICT ("id") DO UPDATE SET
       "pausedAt" = coalesce(r."pausedAt", now()), "reason" = $2,
       "failures" = greatest(1, r."failures"),
       "nextProbeAt" = CASE WHEN r."pausedAt" IS NULL THEN now() + $3 * interval '1 second' ELSE r."nextProbeAt" END,
       "updatedAt" = now()`,
    [id, reason, firstProbeSeconds],
  );
}

/**
 * Takes the probe of a paused route when it is due. The next probe is scheduled at the same time, so that a worker
 * that crashes with the probe does not block the route forever.
 *
 * @param delaysSeconds time to the next probe, by the number of failed probes
 */
export async function takeProbe(client: PoolClient, id: string, delaysSeconds: number[]): Promise<boolean> {
  const { rowCount } = await client.query(
    `UPDATE "Route" SET "failures" = "failures" + 1, "updatedAt" = now(),
       "nextProbeAt" = now() + ($2::float8[])[least(array_length($2::float8[], 1), "failures" + 1)] * interval '1 second'
     WHERE "id" = $1 AND "pausedAt" IS NOT NULL AND "nextProbeAt" <= now()`,
    [id, delaysSeconds],
  );
  return rowCount === 1;
}

export async function resumeRoute(client: PoolClient, id: string): Promise<void> {
  await client.query(
    `UPDATE "Route" SET "pausedAt" = NULL, "reason" = NULL, "failures" = 0, "nextProbeAt" = NULL, "updatedAt" = now()
     WHERE "id" = $1 AND "pausedAt" IS NOT NULL`,
    [id],
  );
}
