import { byKey, constant, ofProject, Prisma, type SqlDb } from '../../../base/db/index.ts';
import type { CountedConversion } from '../../goals/index.ts';

/** The first event of a goal counts for an execution, in whatever order they are found. */
const firstCounts = Prisma.sql`ON CONFLICT ("goalId", "executionId") DO UPDATE SET "at" = excluded."at", "eventId" = excluded."eventId",
    "value" = excluded."value" WHERE (excluded."at", excluded."eventId") < ("ExecutionConversion"."at", "ExecutionConversion"."eventId")`;

/** The moment from which events of goals count for an execution: that of the event that started it. */
export const beganAt = (execution: string): Prisma.Sql =>
  constant(`coalesce(${execution}."beganAt", ${execution}."startedAt")`);

/**
 * Counts conversions for the executions of their contacts: for those that have not ended, and for as many days after their end as the goal has, by
 * the definition that they run.
 */
export async function measureConversions(
  db: SqlDb,
  projectId: string,
  conversions: readonly CountedConversion[],
): Promise<void> {
  if (conversions.length === 0) return;
  await db.$executeRaw`
    INSERT INTO "ExecutionConversion" ("goalId", "executionId", "projectId", "workflowId", "eventId", "at", "value")
    SELECT DISTINCT ON (e."goalId", x."id") e."goalId", x."id", ${projectId}::uuid, x."workflowId", e."eventId", e."at", e."value"
    FROM jsonb_to_recordset(${JSON.stringify(conversions)}::jsonb)
      AS e("goalId" uuid, "eventId" uuid, "contactId" uuid, "at" timestamptz, "value" float8, "windowDays" int)
    CROSS JOIN LATERAL (
      SELECT x."id", x."workflowId", x."version", x."sourceEventId", x."completedAt", ${beganAt('x')} AS "beganAt" FROM "WorkflowExecution" x
      WHERE x."projectId" = ${projectId}::uuid AND x."contactId" = e."contactId" AND x."createdAt" > '-infinity' OFFSET 0) x
    CROSS JOIN LATERAL (
      SELECT FROM "WorkflowVersion" v WHERE v."workflowId" = x."workflowId" AND v."version" = version_run(x."workflowId", x."version")
        AND v."ends" @> ARRAY['goal.' || e."goalId"] OFFSET 0) v
    WHERE x."beganAt" <= e."at" AND e."eventId" IS DISTINCT FROM x."sourceEventId"
      AND (x."completedAt" IS NULL OR e."at" <= x."completedAt" + e."windowDays" * interval '1 day')
    ORDER BY e."goalId", x."id", e."at", e."eventId"
    ${firstCounts}`;
}

/** What a set has found of an execution. */
export interface FoundConversion {
  goalId: string;
  executionId: string;
  eventId: string;
  at: Date;
  value: number | null;
}

export async function writeConversions(
  db: SqlDb,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  found: readonly FoundConversion[],
): Promise<void> {
  if (found.length === 0) return;
  await db.$executeRaw`
    INSERT INTO "ExecutionConversion" ("goalId", "executionId", "projectId", "workflowId", "eventId", "at", "value")
    SELECT f."goalId", f."executionId", ${projectId}::uuid, ${workflowId}::uuid, f."eventId", f."at", f."value"
    FROM jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
      AS f("goalId" uuid, "executionId" uuid, "eventId" uuid, "at" timestamptz, "value" float8)
    ORDER BY 1, 2
    ${firstCounts}`;
}

/** Workflows with a version that is run, and that events with these keys (`endKeys`) concern; with those of the keys that do. */
export async function concernedWorkflows(
  db: SqlDb,
  projectId: string,
  keys: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const rows = await db.$queryRaw<{ id: string; keys: string[] }[]>`
    SELECT v."workflowId"::text AS "id", array_agg(DISTINCT k."key") AS "keys"
    FROM "WorkflowVersion" v CROSS JOIN LATERAL unnest(v."ends") AS k("key")
    WHERE v."projectId" = ${projectId}::uuid AND v."ends" <> '{}' AND v."movedTo" IS NULL AND k."key" = ANY(${[...keys]}::text[])
    GROUP BY 1`;
  return new Map(rows.map((row) => [row.id, new Set(row.keys)]));
}

/** An event that may end executions of its contact, with its keys (`endKeys`). */
export interface EndingEvent {
  contactId: string;
  keys: string[];
}

/**
 * Makes the executions of these contacts due that such an event may end or move, by the version that they run, wherever they are. They are locked first: one that a set
 * holds is read as the set leaves it. What the event means for them, their next set decides.
 *
 * @returns the number of executions
 */
export const wakeForEnds = (
  db: SqlDb,
  projectId: string,
  workflowId: string,
  events: readonly EndingEvent[],
): Promise<number> => db.$executeRaw`
  WITH "event" AS MATERIALIZED (
    SELECT e."contactId", k."key" FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS e("contactId" uuid, "keys" jsonb)
    CROSS JOIN LATERAL jsonb_array_elements_text(e."keys") AS k("key")
  ), "held" AS MATERIALIZED (
    SELECT x.* FROM (SELECT DISTINCT "contactId" FROM "event" ORDER BY 1) c
    CROSS JOIN LATERAL (
      SELECT x."id", x."contactId", x."version" FROM "WorkflowExecution" x
      WHERE x."contactId" = c."contactId" AND x."status" IN ('RUNNING', 'WAITING') AND x."workflowId" IS NOT DISTINCT FROM ${workflowId}::uuid
        AND ${ofProject('x."projectId"', projectId)}
      FOR UPDATE) x
  ), "run" AS MATERIALIZED (
    SELECT h."version", v."ends" FROM (SELECT DISTINCT "version" FROM "held" WHERE "version" IS NOT NULL) h
    CROSS JOIN LATERAL (
      SELECT v."ends" FROM "WorkflowVersion" v
      WHERE v."workflowId" = ${workflowId}::uuid AND v."version" = version_run(${workflowId}::uuid, h."version") OFFSET 0) v
  ), "woken" AS MATERIALIZED (
    SELECT DISTINCT h."id" FROM "held" h JOIN "run" r ON r."version" = h."version"
    JOIN "event" e ON e."contactId" = h."contactId" AND e."key" = ANY(r."ends")
  )
  UPDATE "WorkflowExecution" x SET "dueAt" = least(x."dueAt", now()), "wakeSeq" = x."wakeSeq" + 1, "updatedAt" = now()
  FROM "woken" w WHERE ${byKey('x."id"', 'w."id"')}`;

/** Which of these rows of WEBHOOK steps wait for the result of their request. */
export async function openRequests(db: SqlDb, stepExecutionIds: readonly string[]): Promise<Set<string>> {
  if (stepExecutionIds.length === 0) return new Set();
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "stepExecutionId"::text AS "id" FROM "StepRequest" WHERE "stepExecutionId" = ANY(${[...stepExecutionIds]}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
}
