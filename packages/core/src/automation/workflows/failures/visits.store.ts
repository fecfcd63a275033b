import { type Db, ofProject } from '../../../base/db/index.ts';
import type { StepEnds } from './budget.rules.ts';

/** Executions whose steps are looked at: the newest of a workflow. */
const mostExecutions = 20_000;

interface Row {
  stepId: string;
  stepKey: string;
  failedInHour: number;
  failedInWeek: number;
  passedInHour: number;
  passedInWeek: number;
}

/** How often those steps of a workflow that failed came to an end lately, since it was enabled. */
export async function countEnds(
  db: Db,
  { projectId, workflowId }: { projectId: string; workflowId: string },
): Promise<StepEnds[]> {
  const rows = await db.$queryRaw<Row[]>`
    WITH "since" AS MATERIALIZED (
      SELECT greatest(now() - interval '7 days', w."enabledAt") AS "week", greatest(now() - interval '1 hour', w."enabledAt") AS "hour"
      FROM "Workflow" w WHERE w."id" = ${workflowId}::uuid AND ${ofProject('w."projectId"', projectId)}
    ), "failing" AS MATERIALIZED (
      SELECT x."currentStepId" AS "stepId", max(x."failedStepKey") AS "stepKey", count(*)::int AS "failedInWeek",
        (count(*) FILTER (WHERE x."completedAt" > n."hour"))::int AS "failedInHour"
      FROM "since" n JOIN "WorkflowExecution" x ON x."workflowId" = ${workflowId}::uuid AND x."status" = 'FAILED' AND x."completedAt" > n."week"
      WHERE x."failedStepKey" IS NOT NULL AND ${ofProject('x."projectId"', projectId)}
      GROUP BY 1
    ), "recent" AS MATERIALIZED (
      SELECT x."id" FROM "WorkflowExecution" x WHERE x."projectId" = ${projectId}::uuid AND x."workflowId" = ${workflowId}::uuid
      ORDER BY x."createdAt" DESC, x."id" DESC LIMIT ${mostExecutions}::int
    )
    SELECT f."stepId"::text AS "stepId", f."stepKey", f."failedInHour", f."failedInWeek", p."passedInHour", p."passedInWeek"
    FROM "failing" f CROSS JOIN "since" n CROSS JOIN LATERAL (
      SELECT count(*)::int AS "passedInWeek", (count(*) FILTER (WHERE s."completedAt" > n."hour"))::int AS "passedInHour"
      FROM "recent" r JOIN "WorkflowStepExecution" s ON s."executionId" = r."id"
      WHERE s."stepId" = f."stepId" AND s."status" = 'COMPLETED' AND s."completedAt" > n."week") p`;
  return rows.map(({ stepId, stepKey, failedInHour, failedInWeek, passedInHour, passedInWeek }) => ({
    stepId,
    stepKey,
    hour: { failed: failedInHour, visits: failedInHour + passedInHour },
    week: { failed: failedInWeek, visits: failedInWeek + passedInWeek },
  }));
}
