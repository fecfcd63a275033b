import type { Pool } from 'pg';
import { constant, Prisma, prepared } from '../../../base/db/index.ts';
import { refillHours } from '../entries/due-entries.store.ts';
import { enterJobKind } from '../entries/enter-job.store.ts';

export const shards = 16;

/** The shard of a project in SQL; the index `Execution_queue` begins with it. */
export const shardOf = (project: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(get_byte(uuid_send(${project}), 15) & 15)`;

/** The same of an id. */
export const shardOfProject = (projectId: string): number => Number.parseInt(projectId.slice(-1), 16);

/**
 * What is due in a project: sets of a workflow, a batch of events, executions that a cancellation still has to end, contacts that enter at a
 * time, those of a job, and a pass that looks for dates.
 */
export interface DueUnit {
  projectId: string;
  kind: 'set' | 'events' | 'cancel' | 'entries' | 'job' | 'dates';
  /** null for events */
  workflowId: string | null;
  /** milliseconds until it is due; negative: since when it has been */
  inMs: number;
}

const heads = (within: Prisma.Sql, from: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT u."projectId", 'set' AS "kind", u."workflowId", h."dueAt"
  FROM (WITH RECURSIVE u AS (
    (SELECT ${shardOf(constant('x."projectId"'))} AS "shard", x."projectId", x."workflowId" FROM "WorkflowExecution" x
      WHERE x."dueAt" IS NOT NULL AND ${within} ORDER BY 1, 2, 3 LIMIT 1)
    UNION ALL
    SELECT n.* FROM u CROSS JOIN LATERAL (
      SELECT ${shardOf(constant('x."projectId"'))}, x."projectId", x."workflowId" FROM "WorkflowExecution" x
      WHERE x."dueAt" IS NOT NULL AND ${from} ORDER BY 1, 2, 3 LIMIT 1) n
  ) SELECT * FROM u) u CROSS JOIN LATERAL (
    SELECT x."dueAt" FROM "WorkflowExecution" x
    WHERE ${shardOf(constant('x."projectId"'))} = u."shard" AND x."projectId" = u."projectId" AND x."workflowId" = u."workflowId"
      AND x."dueAt" IS NOT NULL ORDER BY x."dueAt" LIMIT 1) h`;

/** Contacts that enter at a time, by one step through their index for each workflow. */
const waiting = (within: Prisma.Sql, from: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT u."projectId", 'entries' AS "kind", u."workflowId", h."at" AS "dueAt"
  FROM (WITH RECURSIVE u AS (
    (SELECT d."projectId", d."workflowId" FROM "WorkflowDue" d WHERE ${within} ORDER BY 1, 2 LIMIT 1)
    UNION ALL
    SELECT n.* FROM u CROSS JOIN LATERAL (
      SELECT d."projectId", d."workflowId" FROM "WorkflowDue" d WHERE ${from} ORDER BY 1, 2 LIMIT 1) n
  ) SELECT * FROM u) u CROSS JOIN LATERAL (
    SELECT d."at" FROM "WorkflowDue" d WHERE d."projectId" = u."projectId" AND d."workflowId" = u."workflowId" ORDER BY d."at" LIMIT 1) h`;

/** Passes that look for dates: one a day, and one when another zone applies; and jobs that let contacts enter. */
const passesAndJobs = (within: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT w."projectId", 'dates' AS "kind", w."id" AS "workflowId",
    CASE WHEN w."datesTo" IS NULL OR w."datesAfter" IS NOT NULL OR w."datesZone" <> coalesce(w."timeZone", p."timezone") THEN clock_timestamp()
      ELSE w."datesTo" - ${constant(`interval '${refillHours} hours'`)} END AS "dueAt"
  FROM "Workflow" w JOIN "Project" p ON p."id" = w."projectId" WHERE w."enabled" AND w."dateField" IS NOT NULL AND ${within}
  UNION ALL
  SELECT w."projectId", 'job', (w."input" ->> 'workflowId')::uuid, min(w."createdAt") FROM "Job" w
  WHERE w."state" IN ('waiting', 'active') AND w."kind" = ${constant(`'${enterJobKind}'`)} AND ${within} GROUP BY 1, 3`;

const inMs = constant('extract(epoch FROM d."dueAt" - clock_timestamp())::float8 * 1000');

const everywhere = prepared(
  'due-executions',
  () => Prisma.sql`
  WITH "queued" AS (
    SELECT w."id" AS "projectId", o."createdAt" AS "dueAt" FROM (WITH RECURSIVE w("id") AS (
      (SELECT "projectId" FROM "EventDispatch" ORDER BY "projectId" LIMIT 1)
      UNION ALL SELECT (SELECT t."projectId" FROM "EventDispatch" t WHERE t."projectId" > w."id" ORDER BY t."projectId" LIMIT 1) FROM w
      WHERE w."id" IS NOT NULL
    ) SELECT "id" FROM w WHERE "id" IS NOT NULL) w CROSS JOIN LATERAL (
      SELECT t."createdAt" FROM "EventDispatch" t WHERE t."projectId" = w."id" ORDER BY t."eventId" LIMIT 1) o
  )
  SELECT d."projectId", d."kind", d."workflowId", ${inMs} AS "inMs" FROM (
    ${heads(constant('true'), Prisma.sql`(${shardOf(constant('x."projectId"'))}, x."projectId", x."workflowId") > (u."shard", u."projectId", u."workflowId")`)}
    UNION ALL ${waiting(constant('true'), constant('(d."projectId", d."workflowId") > (u."projectId", u."workflowId")'))}
    UNION ALL ${passesAndJobs(constant('true'))}
    UNION ALL SELECT "projectId", 'events', NULL, "dueAt" FROM "queued"
    UNION ALL SELECT w."projectId", 'cancel', w."id", w."cancelledAt" FROM "Workflow" w WHERE w."cancelling") d`,
);

const inProject = prepared<{ projectId: string }>(
  'due-executions-of-project',
  ({ projectId }) => Prisma.sql`
  SELECT d."projectId", d."kind", d."workflowId", ${inMs} AS "inMs" FROM (
    ${heads(
      Prisma.sql`${shardOf(constant('x."projectId"'))} = ${shardOf(Prisma.sql`${projectId}::uuid`)} AND x."projectId" = ${projectId}::uuid`,
      Prisma.sql`${shardOf(constant('x."projectId"'))} = u."shard" AND x."projectId" = u."projectId" AND x."workflowId" > u."workflowId"`,
    )}
    UNION ALL ${waiting(Prisma.sql`d."projectId" = ${projectId}::uuid`, Prisma.sql`d."projectId" = ${projectId}::uuid AND d."workflowId" > u."workflowId"`)}
    UNION ALL ${passesAndJobs(Prisma.sql`w."projectId" = ${projectId}::uuid`)}
    UNION ALL (SELECT t."projectId", 'events', NULL, t."createdAt" FROM "EventDispatch" t WHERE t."projectId" = ${projectId}::uuid
      ORDER BY t."eventId" LIMIT 1)
    UNION ALL SELECT w."projectId", 'cancel', w."id", w."cancelledAt" FROM "Workflow" w WHERE w."cancelling" AND w."projectId" = ${projectId}::uuid) d`,
);

/**
 * What is due now or later, by one step through the queue for each workflow and project, however many executions wait.
 *
 * @param pool plans by keys: with a plan from when the tables were empty, each look would read every execution
 */
export async function findDue(pool: Pool, projectId: string | null): Promise<DueUnit[]> {
  const { rows } = await pool.query<DueUnit>(projectId === null ? everywhere({}) : inProject({ projectId }));
  return rows;
}
