import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

/** What the database and the installation are in. */
export interface ServerState {
  /** of this database: what vacuum has to keep since then */
  oldestSnapshotSeconds: number;
  walBytes: number;
  /** null without a standby, or without the right to see it */
  replicationLagSeconds: number | null;
  /** standbys for which commits wait, and which are not there */
  standbysMissing: number;
  /** null in a database without a row in `Installation` */
  epoch: number | null;
  /** since the last backup of `npm run admin -- backup`, or else since the installation or restore */
  backupAgeSeconds: number | null;
  /** null where it may not be seen */
  dataDirectory: string | null;
}

const server = prepared(
  'metrics-of-server',
  () => Prisma.sql`
SELECT
  coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - min(a."xact_start")))::float8 FROM pg_stat_activity a
    WHERE a."datname" = current_database() AND a."backend_xmin" IS NOT NULL AND a."pid" <> pg_backend_pid()), 0) AS "oldestSnapshotSeconds",
  pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS "walBytes",
  (SELECT extract(epoch FROM max(coalesce(r."replay_lag", '0')))::float8 FROM pg_stat_replication r WHERE r."state" IS NOT NULL) AS "replicationLagSeconds",
  CASE WHEN s."names" = '' THEN 0 ELSE greatest(0, coalesce((regexp_match(s."names", '^\s*(?:any|first)?\s*(\d+)\s*\(', 'i'))[1]::int, 1)
    - (SELECT count(*)::int FROM pg_stat_replication r WHERE r."sync_state" IN ('sync', 'quorum'))) END AS "standbysMissing",
  i."epoch", extract(epoch FROM clock_timestamp() - greatest(i."backedUpAt", e."startedAt"))::float8 AS "backupAgeSeconds",
  (SELECT s."setting" FROM pg_settings s WHERE s."name" = 'data_directory') AS "dataDirectory"
FROM (SELECT current_setting('synchronous_standby_names') AS "names") s
LEFT JOIN "Installation" i ON i."id" = 1 LEFT JOIN "Epoch" e ON e."epoch" = i."epoch"`,
);

/** @throws on a standby */
export async function readServer(pool: Pool): Promise<ServerState> {
  const { rows } = await pool.query<ServerState>(server({}));
  const [state] = rows;
  if (!state) throw new Error('the server has no state');
  return state;
}

const routes = prepared(
  'metrics-of-routes',
  () => Prisma.sql`SELECT r."id", r."pausedAt" IS NOT NULL AS "isPaused" FROM "Route" r`,
);

export interface RouteState {
  id: string;
  isPaused: boolean;
}

export async function readRoutes(pool: Pool): Promise<RouteState[]> {
  const { rows } = await pool.query<RouteState>(routes({}));
  return rows;
}
