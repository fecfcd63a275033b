import type { Pool } from 'pg';
import { constant, Prisma, prepared } from '../../base/db/index.ts';
import { firstBulkPriority, priorities } from '../../mail/ledger/ledger.rules.ts';

/** The most rows that one look counts. A longer queue is reported with this length. */
export const mostCounted = 2_000;

export interface QueueState {
  queue: string;
  /** what is due, `mostCounted` at most */
  length: number;
  /** since when the first of it is due; 0 when nothing is */
  oldestSeconds: number;
}

export interface MailState {
  queues: QueueState[];
  /** what waits and is not due, in batches, `mostCounted` of each at most */
  held: { scheduled: number; retry: number; paused: number; held: number };
}

interface MailRow extends QueueState {
  later: number;
  paused: number;
  hold: string | null;
}

const most = constant(mostCounted);

/** One step through the index of waiting batches for each project, priority and kind of attempt, however many wait. */
const mail = prepared(
  'metrics-of-email',
  () => Prisma.sql`
WITH RECURSIVE step AS (
  (SELECT b."projectId", b."priority", b."again" FROM "DeliveryBatch" b WHERE b."token" IS NULL AND NOT b."held" ORDER BY 1, 2, 3 LIMIT 1)
  UNION ALL
  SELECT n.* FROM step s CROSS JOIN LATERAL (
    SELECT b."projectId", b."priority", b."again" FROM "DeliveryBatch" b
    WHERE b."token" IS NULL AND NOT b."held" AND (b."projectId", b."priority", b."again") > (s."projectId", s."priority", s."again")
    ORDER BY 1, 2, 3 LIMIT 1) n
), part AS MATERIALIZED (
  SELECT s.*, h."at", CASE WHEN s."again" THEN 'retry' WHEN s."priority" < ${constant(priorities.WORKFLOW)} THEN 'direct'
    WHEN s."priority" < ${constant(firstBulkPriority)} THEN 'workflow' ELSE 'campaign' END AS "queue"
  FROM step s CROSS JOIN LATERAL (
    SELECT b."nextAttemptAt" AS "at" FROM "DeliveryBatch" b
    WHERE b."projectId" = s."projectId" AND b."priority" = s."priority" AND b."again" = s."again" AND b."token" IS NULL AND NOT b."held"
    ORDER BY b."nextAttemptAt" LIMIT 1) h
)
SELECT q."queue",
  (SELECT count(*)::int FROM (SELECT FROM part p CROSS JOIN LATERAL (
    SELECT FROM "DeliveryBatch" b
    WHERE b."projectId" = p."projectId" AND b."priority" = p."priority" AND b."again" = p."again" AND b."token" IS NULL AND NOT b."held"
      AND b."nextAttemptAt" <= c."now" LIMIT ${most}) b WHERE p."queue" = q."queue" AND p."at" <= c."now" LIMIT ${most}) x) AS "length",
  (SELECT count(*)::int FROM (SELECT FROM part p CROSS JOIN LATERAL (
    SELECT FROM "DeliveryBatch" b
    WHERE b."projectId" = p."projectId" AND b."priority" = p."priority" AND b."again" = p."again" AND b."token" IS NULL AND NOT b."held"
      AND b."nextAttemptAt" > c."now" LIMIT ${most}) b WHERE p."queue" = q."queue" LIMIT ${most}) x) AS "later",
  greatest(0, coalesce((SELECT extract(epoch FROM c."now" - min(p."at"))::float8 FROM part p WHERE p."queue" = q."queue"), 0)) AS "oldestSeconds",
  (SELECT count(*)::int FROM (SELECT FROM "DeliveryBatch" b WHERE b."held" LIMIT ${most}) x) AS "paused",
  (SELECT CASE WHEN count(*) = 0 THEN 'all' ELSE max(i."hold") END FROM "Installation" i WHERE i."id" = 1) AS "hold"
FROM unnest('{direct,workflow,campaign,retry}'::text[]) AS q("queue") CROSS JOIN (SELECT clock_timestamp() AS "now" OFFSET 0) c`,
);

/**
 * Email that waits. What a process has claimed is none of it, and what does not leave since a restore (behaviour B11.6) is held: all of it, or
 * that of campaigns.
 *
 * @param pool plans by keys
 */
export async function readMail(pool: Pool): Promise<MailState> {
  const { rows } = await pool.query<MailRow>(mail({}));
  const sum = (of: (row: MailRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const isHeld = ({ queue, hold }: MailRow): boolean =>
    hold === 'all' || (hold === 'marketing' && queue === 'campaign');
  return {
    queues: rows.map((row) => ({
      queue: row.queue,
      length: isHeld(row) ? 0 : row.length,
      oldestSeconds: isHeld(row) ? 0 : row.oldestSeconds,
    })),
    held: {
      scheduled: sum(({ queue, later }) => (queue === 'retry' ? 0 : later)),
      retry: sum(({ queue, later }) => (queue === 'retry' ? later : 0)),
      paused: rows[0]?.paused ?? 0,
      held: sum((row) => (isHeld(row) ? row.length : 0)),
    },
  };
}

const shard = (row: string): Prisma.Sql => constant(`(get_byte(uuid_send(${row}."projectId"), 15) & 15)`);

/** What is due of one queue: `rows` of each step, the earliest first. */
const due = (queue: string, steps: string, rows: Prisma.Sql): Prisma.Sql => Prisma.sql`
SELECT ${constant(`'${queue}'`)} AS "queue",
  (SELECT count(*)::int FROM (SELECT FROM ${constant(steps)} g CROSS JOIN LATERAL (${rows} LIMIT ${most}) r LIMIT ${most}) x) AS "length",
  coalesce((SELECT extract(epoch FROM clock_timestamp() - min(r."at"))::float8 FROM ${constant(steps)} g CROSS JOIN LATERAL (${rows} LIMIT 1) r), 0) AS "oldestSeconds"`;

/** Steps from host to host, from endpoint to endpoint, from workflow to workflow, and from project to project. */
const others = prepared<{ leftOut: string }>(
  'metrics-of-queues',
  ({ leftOut }) => Prisma.sql`
WITH RECURSIVE host AS (
  (SELECT r."host" FROM "StepRequest" r ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT n."host" FROM host h CROSS JOIN LATERAL (SELECT r."host" FROM "StepRequest" r WHERE r."host" > h."host" ORDER BY 1 LIMIT 1) n
), pending AS (
  (SELECT d."endpointId" FROM "WebhookDelivery" d WHERE d."status" = 'PENDING' ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT n."endpointId" FROM pending p CROSS JOIN LATERAL (
    SELECT d."endpointId" FROM "WebhookDelivery" d WHERE d."status" = 'PENDING' AND d."endpointId" > p."endpointId" ORDER BY 1 LIMIT 1) n
), endpoint AS MATERIALIZED (
  SELECT p."endpointId" FROM pending p JOIN "WebhookEndpoint" e ON e."id" = p."endpointId" WHERE e."enabled"
), workflow AS (
  (SELECT ${shard('x')} AS "shard", x."projectId", x."workflowId" FROM "WorkflowExecution" x WHERE x."dueAt" IS NOT NULL ORDER BY 1, 2, 3 LIMIT 1)
  UNION ALL
  SELECT n.* FROM workflow w CROSS JOIN LATERAL (
    SELECT ${shard('x')}, x."projectId", x."workflowId" FROM "WorkflowExecution" x
    WHERE x."dueAt" IS NOT NULL AND (${shard('x')}, x."projectId", x."workflowId") > (w."shard", w."projectId", w."workflowId")
    ORDER BY 1, 2, 3 LIMIT 1) n
), entered AS (
  (SELECT d."projectId", d."workflowId" FROM "WorkflowDue" d ORDER BY 1, 2 LIMIT 1)
  UNION ALL
  SELECT n.* FROM entered w CROSS JOIN LATERAL (
    SELECT d."projectId", d."workflowId" FROM "WorkflowDue" d WHERE (d."projectId", d."workflowId") > (w."projectId", w."workflowId")
    ORDER BY 1, 2 LIMIT 1) n
), project AS (
  (SELECT t."projectId" FROM "EventDispatch" t ORDER BY 1 LIMIT 1)
  UNION ALL
  SELECT n."projectId" FROM project p CROSS JOIN LATERAL (
    SELECT t."projectId" FROM "EventDispatch" t WHERE t."projectId" > p."projectId" ORDER BY 1 LIMIT 1) n
), one AS (SELECT 1)
${Prisma.join(
  [
    due(
      'requests',
      'host',
      Prisma.sql`SELECT r."dueAt" AS "at" FROM "StepRequest" r WHERE r."host" = g."host" AND r."dueAt" <= clock_timestamp() ORDER BY r."dueAt"`,
    ),
    due(
      'webhooks',
      'endpoint',
      Prisma.sql`SELECT d."nextAttemptAt" AS "at" FROM "WebhookDelivery" d WHERE d."endpointId" = g."endpointId" AND d."status" = 'PENDING'
        AND d."nextAttemptAt" <= clock_timestamp() AND (d."claimedUntil" IS NULL OR d."claimedUntil" <= clock_timestamp()) ORDER BY d."nextAttemptAt"`,
    ),
    due(
      'executions',
      'workflow',
      Prisma.sql`SELECT x."dueAt" AS "at" FROM "WorkflowExecution" x WHERE ${shard('x')} = g."shard" AND x."projectId" = g."projectId"
        AND x."workflowId" = g."workflowId" AND x."dueAt" <= clock_timestamp() ORDER BY x."dueAt"`,
    ),
    due(
      'executions',
      'entered',
      Prisma.sql`SELECT d."at" FROM "WorkflowDue" d WHERE d."projectId" = g."projectId" AND d."workflowId" = g."workflowId"
        AND d."at" <= clock_timestamp() ORDER BY d."at"`,
    ),
    due(
      'events',
      'project',
      Prisma.sql`SELECT t."createdAt" AS "at" FROM "EventDispatch" t WHERE t."projectId" = g."projectId" ORDER BY t."eventId"`,
    ),
    due(
      'jobs',
      'one',
      Prisma.sql`SELECT j."createdAt" AS "at" FROM "Job" j WHERE j."state" IN ('waiting', 'active') AND j."state" = 'waiting' AND j."kind" <> ${leftOut}
        ORDER BY j."createdAt"`,
    ),
  ],
  ' UNION ALL ',
)}`,
);

/**
 * What is due of events, executions, requests of workflows, webhook deliveries and jobs, and that no process works on.
 *
 * @param pool plans by keys
 * @param leftOut a kind of jobs whose work is counted with the executions
 */
export async function readQueues(pool: Pool, leftOut: string): Promise<QueueState[]> {
  const { rows } = await pool.query<QueueState>(others({ leftOut }));
  const queues = new Map<string, QueueState>();
  for (const { queue, length, oldestSeconds } of rows) {
    const known = queues.get(queue);
    queues.set(queue, {
      queue,
      length: Math.min(mostCounted, length + (known?.length ?? 0)),
      oldestSeconds: Math.max(0, oldestSeconds, known?.oldestSeconds ?? 0),
    });
  }
  return [...queues.values()];
}
