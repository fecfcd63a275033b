import type { Pool } from 'pg';
import { Prisma, prepared } from '../../base/db/index.ts';

export interface OverdueJobs {
  kind: string;
  count: number;
  seconds: number;
}

const jobs = prepared<{ seconds: number; leftOut: readonly string[] }>(
  'overdue-jobs',
  ({ seconds, leftOut }) => Prisma.sql`
  SELECT "kind", count(*)::int AS "count", extract(epoch FROM clock_timestamp() - min("createdAt"))::float8 AS "seconds" FROM (
    SELECT "kind", "createdAt" FROM "Job"
    WHERE "state" IN ('waiting', 'active') AND "state" = 'waiting' AND "createdAt" < clock_timestamp() - ${seconds}::float8 * interval '1 second'
      AND "kind" <> ALL(${leftOut}::text[])
    ORDER BY "createdAt" LIMIT 1000) j
  GROUP BY 1 ORDER BY 3 DESC`,
);

/** Imports, exports and bulk changes that have waited for longer than this, by kind. */
export async function findOverdueJobs(
  pool: Pool,
  seconds: number,
  leftOut: readonly string[],
): Promise<OverdueJobs[]> {
  const { rows } = await pool.query<OverdueJobs>(jobs({ seconds, leftOut }));
  return rows;
}

export interface Expired {
  kind: string;
  /** since when the oldest one could have been removed */
  seconds: number;
}

/** For how long what has expired stays, in milliseconds. */
export interface Kept {
  idempotencyKeys: number;
  signIns: number;
  webhookDeliveries: number;
  /** where there are several slices, of which the old ones are dropped whole */
  webhookDeliveriesInSlices: number;
  jobs: number;
  auditLog: number;
}

const expired = prepared<Kept & { lateMs: number }>('expired-rows', (kept) => {
  const first = (kind: string, oldest: Prisma.Sql, keptMs: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT ${kind}::text AS "kind", extract(epoch FROM clock_timestamp() - (${oldest}))::float8 - (${keptMs}) / 1000 AS "seconds"`;
  const ms = (parameter: unknown): Prisma.Sql => Prisma.sql`${parameter}::float8`;
  return Prisma.sql`
  SELECT * FROM (
    ${first('idempotency keys', Prisma.sql`SELECT "createdAt" FROM "IdempotencyKey" ORDER BY "createdAt" LIMIT 1`, ms(kept.idempotencyKeys))}
    UNION ALL ${first('mailed tokens', Prisma.sql`SELECT "expiresAt" FROM "AuthToken" ORDER BY "expiresAt" LIMIT 1`, ms(kept.signIns))}
    UNION ALL ${first('sessions', Prisma.sql`SELECT "expiresAt" FROM "Session" ORDER BY "expiresAt" LIMIT 1`, ms(kept.signIns))}
    UNION ALL ${first('attachments', Prisma.sql`SELECT "keptUntil" FROM "Blob" ORDER BY "keptUntil" LIMIT 1`, Prisma.sql`0`)}
    UNION ALL ${first('webhook deliveries', Prisma.sql`SELECT "createdAt" FROM "WebhookDelivery" ORDER BY "createdAt" LIMIT 1`, Prisma.sql`CASE (SELECT count(*) FROM pg_inherits WHERE inhparent = '"WebhookDelivery"'::regclass) WHEN 1 THEN ${ms(kept.webhookDeliveries)} ELSE ${ms(kept.webhookDeliveriesInSlices)} END`)}
    UNION ALL ${first('jobs', Prisma.sql`SELECT "completedAt" FROM "Job" WHERE "completedAt" IS NOT NULL ORDER BY "completedAt" LIMIT 1`, ms(kept.jobs))}
    UNION ALL ${first('audit log', Prisma.sql`SELECT "createdAt" FROM "AuditLog" ORDER BY "createdAt" LIMIT 1`, ms(kept.auditLog))}
  ) e WHERE "seconds" > ${kept.lateMs}::float8 / 1000 ORDER BY "seconds" DESC`;
});

/** By kind of rows, for how long the oldest could have been removed; negative while it is still kept. */
export async function readSweepBacklogOf(pool: Pool, kept: Kept): Promise<Expired[]> {
  const { rows } = await pool.query<Expired>(expired({ ...kept, lateMs: Number.NEGATIVE_INFINITY }));
  return rows;
}

/** Kinds of rows of which some could have been removed longer ago than this. */
export async function findExpired(pool: Pool, kept: Kept, lateMs: number): Promise<Expired[]> {
  const { rows } = await pool.query<Expired>(expired({ ...kept, lateMs }));
  return rows;
}
