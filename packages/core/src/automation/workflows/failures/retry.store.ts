import { constant, type Db, ofProject } from '../../../base/db/index.ts';

/** Failures of a step that are kept. */
const keptFailures = 5;

export interface Retried {
  /** ids of the executions that go on */
  retried: string[];
  /** whose contact has another active execution of the workflow */
  active: number;
  /** whose step is gone from the version that they would run */
  gone: number;
}

/**
 * Has failed executions go on at the step that failed, by the version that they run now. The row of an entry decides: a contact has one active
 * execution in a workflow, and of several failed ones of a contact the newest goes on. It is no new entry. Others than FAILED ones
 * are left alone.
 *
 * A step that had begun to wait goes on waiting; any other begins anew in its row, so that its email and its request keep their ids.
 */
export async function retryFailed(
  db: Db,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  ids: readonly string[],
): Promise<Retried> {
  if (ids.length === 0) return { retried: [], active: 0, gone: 0 };
  // Ordered with a publish and with the deletion of the workflow.
  await db.$queryRaw`SELECT 1 FROM "Workflow" WHERE "id" = ${workflowId}::uuid AND ${ofProject('"projectId"', projectId)} FOR KEY SHARE`;
  const [row] = await db.$queryRaw<{ retried: string[]; failed: number; present: number }[]>`
    WITH "failed" AS MATERIALIZED (
      SELECT x."id", x."contactId", x."currentStepId", x."version" FROM "WorkflowExecution" x
      WHERE x."id" = ANY(${[...ids]}::uuid[]) AND x."status" = 'FAILED' AND ${ofProject('x."projectId"', projectId)}
        AND x."workflowId" IS NOT DISTINCT FROM ${workflowId}::uuid
      ORDER BY x."id" FOR UPDATE
    ), "run" AS MATERIALIZED (
      SELECT b."version", v."steps" FROM (SELECT DISTINCT "version" FROM "failed" WHERE "version" IS NOT NULL) b
      CROSS JOIN LATERAL (SELECT "steps" FROM "WorkflowVersion" WHERE "workflowId" = ${workflowId}::uuid AND "version" = version_run(${workflowId}::uuid, b."version")) v
    ), "present" AS MATERIALIZED (
      SELECT f.*, s."type" FROM "failed" f CROSS JOIN LATERAL (
        SELECT r."steps" -> f."currentStepId"::text ->> 'type' AS "type" FROM "run" r WHERE r."version" = f."version"
        UNION ALL SELECT s."type"::text FROM "WorkflowStep" s
          WHERE f."version" IS NULL AND s."id" = f."currentStepId" AND (s."workflowId" = ${workflowId}::uuid) IS TRUE) s
      WHERE s."type" IS NOT NULL
    ), "taken" AS (
      INSERT INTO "WorkflowEntry" AS n ("workflowId", "contactId", "projectId", "entries", "lastAt", "active")
      SELECT DISTINCT ON (p."contactId") ${workflowId}::uuid, p."contactId", ${projectId}::uuid, 1, now(), true FROM "present" p ORDER BY p."contactId"
      ON CONFLICT ("workflowId", "contactId") DO UPDATE SET "active" = true WHERE NOT n."active"
      RETURNING n."contactId"
    ), "chosen" AS MATERIALIZED (
      SELECT DISTINCT ON (p."contactId") p."id", p."currentStepId", p."type" FROM "present" p JOIN "taken" t ON t."contactId" = p."contactId"
      ORDER BY p."contactId", p."id" DESC
    ), "step" AS (
      UPDATE "WorkflowStepExecution" s SET
        "status" = CASE WHEN w."waits" THEN CASE c."type" WHEN 'DELAY' THEN 'SCHEDULED' ELSE 'WAITING' END ELSE 'PENDING' END::"StepStatus",
        "failures" = jsonb_path_query_array(
          jsonb_build_array(jsonb_build_object('at', coalesce(s."completedAt", s."updatedAt"), 'error', coalesce(s."error", ''))) || s."failures",
          ${constant(`'$[0 to ${keptFailures - 1}]'`)}),
        "scheduledFor" = CASE WHEN w."waits" THEN s."scheduledFor" END, "output" = CASE WHEN w."waits" THEN s."output" END,
        "startedAt" = CASE WHEN w."waits" THEN s."startedAt" ELSE now() END, "eventsAfter" = CASE WHEN w."waits" THEN s."eventsAfter" END,
        "error" = NULL, "completedAt" = NULL, "updatedAt" = now()
      FROM "chosen" c CROSS JOIN LATERAL (
        SELECT k."id", c."type" IN ('DELAY', 'WAIT_FOR_EVENT') AND k."scheduledFor" IS NOT NULL AS "waits" FROM "WorkflowStepExecution" k
        WHERE k."executionId" = c."id" AND k."stepId" = c."currentStepId" AND k."status" = 'FAILED' OFFSET 0) w
      WHERE s."id" = w."id"
    ), "going" AS (
      UPDATE "WorkflowExecution" x SET "status" = 'RUNNING', "dueAt" = now(), "exitReason" = NULL, "completedAt" = NULL, "failedStepKey" = NULL,
        "retries" = x."retries" + 1, "retriedAt" = clock_timestamp(), "lostTurns" = 0, "resumeAt" = NULL, "wakeSeq" = x."wakeSeq" + 1, "updatedAt" = now()
      WHERE x."id" = ANY(ARRAY(SELECT "id" FROM "chosen"))
      RETURNING x."id"
    )
    SELECT ARRAY(SELECT "id"::text FROM "going") AS "retried", (SELECT count(*)::int FROM "failed") AS "failed",
      (SELECT count(*)::int FROM "present") AS "present"`;
  const { retried, failed, present } = row ?? { retried: [], failed: 0, present: 0 };
  return { retried, active: present - retried.length, gone: failed - present };
}
