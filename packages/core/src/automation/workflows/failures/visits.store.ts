import { constant, type Db, ofProject, Prisma } from '../../../base/db/index.ts';
import { quarterOf } from '../../../base/figures/index.ts';
import { fewestFailures, type StepEnds } from './budget.rules.ts';

interface Row {
  stepId: string;
  stepKey: string;
  failedInHour: number;
  failedInWeek: number;
  leftInHour: number;
  leftInWeek: number;
}

/** SQL: how often the step `f` was left, from the figures of its workflow, since the quarter of an hour of a time. */
const left = ({ projectId, workflowId }: Of, since: Prisma.Sql): Prisma.Sql => {
  const own = Prisma.sql`"projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid AND "scopeId" = f."stepId" AND "at" >= ${quarterOf(since)}`;
  return Prisma.sql`coalesce((SELECT sum(s."left") FROM (
    SELECT "left" FROM "StepFigure" WHERE ${own} AND "unit" = 'quarter'
    UNION ALL SELECT "left" FROM "StepFigureEntry" WHERE ${own}) s), 0)::int`;
};

interface Of {
  projectId: string;
  workflowId: string;
}

/**
 * How often those steps of a workflow that failed came to an end lately, since it was enabled. Failures are those that were not retried, by the index
 * of failed executions; what was left counts from the beginning of a quarter of an hour, so that a budget is never used up sooner than it should be.
 */
export async function countEnds(db: Db, of: Of): Promise<StepEnds[]> {
  const { projectId, workflowId } = of;
  const rows = await db.$queryRaw<Row[]>`
    WITH "since" AS MATERIALIZED (
      SELECT greatest(now() - interval '7 days', w."enabledAt") AS "week", greatest(now() - interval '1 hour', w."enabledAt") AS "hour"
      FROM "Workflow" w WHERE w."id" = ${workflowId}::uuid AND ${ofProject('w."projectId"', projectId)}
    ), "failing" AS MATERIALIZED (
      SELECT x."currentStepId" AS "stepId", max(x."failedStepKey") AS "stepKey", count(*)::int AS "failedInWeek",
        (count(*) FILTER (WHERE x."completedAt" > n."hour"))::int AS "failedInHour"
      FROM "since" n JOIN "WorkflowExecution" x ON x."workflowId" = ${workflowId}::uuid AND x."status" = 'FAILED' AND x."completedAt" > n."week"
      WHERE x."failedStepKey" IS NOT NULL AND ${ofProject('x."projectId"', projectId)}
      GROUP BY 1 HAVING count(*) >= ${fewestFailures}::int
    )
    SELECT f."stepId"::text AS "stepId", f."stepKey", f."failedInHour", f."failedInWeek", ${left(of, constant('n."hour"'))} AS "leftInHour",
      ${left(of, constant('n."week"'))} AS "leftInWeek"
    FROM "failing" f CROSS JOIN "since" n`;
  return rows.map(({ stepId, stepKey, failedInHour, failedInWeek, leftInHour, leftInWeek }) => ({
    stepId,
    stepKey,
    hour: { failed: failedInHour, visits: failedInHour + leftInHour },
    week: { failed: failedInWeek, visits: failedInWeek + leftInWeek },
  }));
}
