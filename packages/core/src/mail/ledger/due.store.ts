import type { PoolClient } from 'pg';
import { constant, Prisma, prepared } from '../../base/db/index.ts';
import { claimedPriorities, firstBulkPriority } from './ledger.rules.ts';

export interface DueProject {
  projectId: string;
  /** transactional, test, workflow or platform email is due */
  direct: boolean;
  /** email of campaigns is due */
  bulk: boolean;
}

export interface Due {
  /** longest due first */
  projects: DueProject[];
  /** time until the next batch becomes due that is not due yet; null when none waits */
  nextInMs: number | null;
}

const levels = constant(`'{${[...claimedPriorities.direct, ...claimedPriorities.bulk].join()}}'::int[]`);

const due = prepared<{ limit: number }>(
  'due-projects',
  ({ limit }) => Prisma.sql`
WITH RECURSIVE project AS (
  (SELECT "projectId" FROM "DeliveryBatch" WHERE "token" IS NULL AND NOT "held" ORDER BY "projectId" LIMIT 1)
  UNION ALL
  SELECT (SELECT b."projectId" FROM "DeliveryBatch" b WHERE b."token" IS NULL AND NOT b."held" AND b."projectId" > p."projectId" ORDER BY b."projectId" LIMIT 1)
  FROM project p WHERE p."projectId" IS NOT NULL
), head AS MATERIALIZED (
  SELECT p."projectId", level.n AS priority, turn.again, h."nextAttemptAt" AS at
  FROM project p CROSS JOIN unnest(${levels}) AS level(n) CROSS JOIN unnest('{false,true}'::boolean[]) AS turn(again)
  CROSS JOIN LATERAL (
    SELECT b."nextAttemptAt" FROM "DeliveryBatch" b
    WHERE b."projectId" = p."projectId" AND b."priority" = level.n AND b."again" = turn.again AND b."token" IS NULL AND NOT b."held"
    ORDER BY b."nextAttemptAt" LIMIT 1
  ) h
  WHERE p."projectId" IS NOT NULL
), next AS (
  -- What is due hides what becomes due after it.
  SELECT CASE WHEN h.at > now() + interval '1 millisecond' THEN h.at ELSE (
    SELECT b."nextAttemptAt" FROM "DeliveryBatch" b
    WHERE b."projectId" = h."projectId" AND b."priority" = h.priority AND b."again" = h.again AND b."token" IS NULL AND NOT b."held"
      AND b."nextAttemptAt" > now() + interval '1 millisecond'
    ORDER BY b."nextAttemptAt" LIMIT 1) END AS at
  FROM head h
), first AS (
  SELECT "projectId", bool_or(priority < ${constant(firstBulkPriority)}) AS direct, bool_or(priority >= ${constant(firstBulkPriority)}) AS bulk
  FROM head WHERE at <= now() + interval '1 millisecond' GROUP BY "projectId" ORDER BY min(at) LIMIT ${limit}
)
SELECT
  (SELECT coalesce(json_agg(first), '[]') FROM first) AS projects,
  (SELECT extract(epoch FROM min(at) - clock_timestamp())::float8 * 1000 FROM next) AS "nextInMs"`,
);

/** At most `limit` projects with due batches. Skips through the index from project to project, whatever their backlog. */
export async function dueProjects(client: PoolClient, limit: number): Promise<Due> {
  const { rows } = await client.query<Due>(due({ limit }));
  return rows[0] ?? { projects: [], nextInMs: null };
}

const waitingTests = prepared<Record<string, never>>(
  'waiting-tests',
  () => Prisma.sql`
SELECT p."id" FROM "Project" p WHERE p."environment" = 'TEST' AND EXISTS (
  SELECT FROM "DeliveryBatch" b WHERE b."projectId" = p."id" AND b."token" IS NULL AND NOT b."held" AND b."nextAttemptAt" <= now()) LIMIT 1000`,
);

/** Test projects with due email. */
export async function findWaitingTests(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(waitingTests({}));
  return rows.map(({ id }) => id);
}
