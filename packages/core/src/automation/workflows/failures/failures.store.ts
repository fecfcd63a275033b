import { type Db, ofProject, type SqlDb } from '../../../base/db/index.ts';

/** A workflow of which an execution failed in the last seven days. */
export interface FailingWorkflow {
  id: string;
  projectId: string;
  /** nobody was told of its failures in the last 24 hours, and there are some */
  isToTell: boolean;
  /** it is enabled, and many failures disable it */
  isWatched: boolean;
}

/**
 * Workflows with failures, by one step through the index of failed executions for each.
 *
 * @param after the last of the page before
 */
export const findFailing = (db: SqlDb, after: string | null, limit: number): Promise<FailingWorkflow[]> =>
  db.$queryRaw<FailingWorkflow[]>`
    WITH RECURSIVE "failing"("id") AS (
      (SELECT x."workflowId" FROM "WorkflowExecution" x WHERE x."status" = 'FAILED' AND x."workflowId" > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
        ORDER BY x."workflowId" LIMIT 1)
      UNION ALL
      SELECT (SELECT x."workflowId" FROM "WorkflowExecution" x WHERE x."status" = 'FAILED' AND x."workflowId" > f."id" ORDER BY x."workflowId" LIMIT 1)
      FROM "failing" f WHERE f."id" IS NOT NULL
    )
    SELECT w."id"::text AS "id", w."projectId"::text AS "projectId",
      l."completedAt" > greatest(now() - interval '24 hours', w."failuresToldAt") AND coalesce(w."failuresToldAt" <= now() - interval '24 hours', true) AS "isToTell",
      w."enabled" AND w."errorBudget" AS "isWatched"
    FROM "failing" f
    CROSS JOIN LATERAL (SELECT x."completedAt" FROM "WorkflowExecution" x WHERE x."workflowId" = f."id" AND x."status" = 'FAILED'
      ORDER BY x."completedAt" DESC LIMIT 1) l
    CROSS JOIN LATERAL (SELECT * FROM "Workflow" WHERE "id" = f."id" OFFSET 0) w
    WHERE l."completedAt" > now() - interval '7 days'
    LIMIT ${limit}::int`;

export interface ToldWorkflow {
  workflow: string;
  project: string;
  /** failures from then on are told */
  since: Date;
}

/** Whoever gets it tells the leaders of the project, in the same transaction: at most once in 24 hours. */
export async function claimNotice(db: Db, projectId: string, id: string): Promise<ToldWorkflow | null> {
  const [row] = await db.$queryRaw<ToldWorkflow[]>`
    WITH "before" AS (
      SELECT w."id", w."failuresToldAt" FROM "Workflow" w
      WHERE w."id" = ${id}::uuid AND ${ofProject('w."projectId"', projectId)} FOR NO KEY UPDATE)
    UPDATE "Workflow" w SET "failuresToldAt" = now() FROM "before" b, "Project" p
    WHERE w."id" = b."id" AND p."id" = w."projectId" AND coalesce(b."failuresToldAt" <= now() - interval '24 hours', true)
    RETURNING w."name" AS "workflow", p."name" AS "project", greatest(now() - interval '24 hours', b."failuresToldAt") AS "since"`;
  return row ?? null;
}

/** @throws when it is gone */
export async function nameOfProject(db: Db, id: string): Promise<string> {
  const { name } = await db.project.findUniqueOrThrow({ where: { id }, select: { name: true } });
  return name;
}

export interface FailureGroup {
  /** name of the step, or its key if it is gone */
  step: string;
  reason: string;
  count: number;
}

/** Failed executions since a time, by step and reason, most first. */
export async function groupFailures(
  db: Db,
  { projectId, workflowId, since }: { projectId: string; workflowId: string; since: Date },
  limit: number,
): Promise<{ count: number; groups: FailureGroup[] }> {
  const rows = await db.$queryRaw<(FailureGroup & { total: number })[]>`
    SELECT coalesce((SELECT s."name" FROM "WorkflowStep" s WHERE s."id" = g."stepId" AND s."workflowId" = ${workflowId}::uuid), g."key", '–') AS "step",
      g."reason", g."count", g."total"
    FROM (
      SELECT x."currentStepId" AS "stepId", x."failedStepKey" AS "key", left(coalesce(x."exitReason", ''), 300) AS "reason", count(*)::int AS "count",
        (sum(count(*)) OVER ())::int AS "total"
      FROM "WorkflowExecution" x
      WHERE x."workflowId" = ${workflowId}::uuid AND x."status" = 'FAILED' AND x."completedAt" >= ${since}::timestamptz
        AND ${ofProject('x."projectId"', projectId)}
      GROUP BY 1, 2, 3 ORDER BY 4 DESC, 3 LIMIT ${limit}::int) g
    ORDER BY g."count" DESC, g."reason"`;
  return {
    count: rows[0]?.total ?? 0,
    groups: rows.map(({ step, reason, count }) => ({ step, reason, count })),
  };
}
