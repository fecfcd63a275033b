import type { Pool } from 'pg';

export interface TableSample {
  name: string;
  /** with indexes and long values */
  mb: number;
  /** as PostgreSQL estimates them */
  live: number;
  dead: number;
}

export async function readTables(db: Pool): Promise<TableSample[]> {
  const { rows } = await db.query<TableSample>(
    `SELECT relname AS "name", pg_total_relation_size(relid)::float8 / 1048576 AS "mb", n_live_tup::int AS "live", n_dead_tup::int AS "dead"
     FROM pg_stat_user_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  return rows;
}

export async function countConnections(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM pg_stat_activity WHERE datname = current_database()`,
  );
  return rows[0]?.count ?? 0;
}

export async function writtenMb(db: Pool): Promise<number> {
  const { rows } = await db.query<{ mb: number }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 / 1048576 AS "mb"`,
  );
  return rows[0]?.mb ?? 0;
}

/** For how long the first email and the first event of all that are due have waited. */
export async function oldestDue(db: Pool): Promise<{ email: number; events: number }> {
  const { rows } = await db.query<{ email: number; events: number }>(
    `SELECT coalesce((SELECT extract(epoch FROM max(now() - "nextAttemptAt")) FROM "DeliveryBatch"
       WHERE "token" IS NULL AND NOT "held" AND "nextAttemptAt" <= now()), 0)::float8 AS "email",
     coalesce((SELECT extract(epoch FROM max(now() - "createdAt")) FROM "EventDispatch"), 0)::float8 AS "events"`,
  );
  return rows[0] ?? { email: 0, events: 0 };
}

/** Campaigns that were sent and have not ended. */
export async function countOpenCampaigns(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM "Campaign" WHERE "status" IN ('SCHEDULED', 'SENDING')`,
  );
  return rows[0]?.count ?? 0;
}
