import { type Db, Prisma } from '../../base/db/index.ts';
import { cachedFigure } from '../../base/figures/index.ts';
import type { WaitOutcome } from './steps/step.rules.ts';

export interface StepCount {
  stepId: string;
  standing: number;
  passed: number;
  failed: number;
}

/** Above this number of executions, counts of ended ones are cached for a minute. */
const manyExecutions = 20_000;
const maxAgeSeconds = 60;

export interface WayCount {
  stepId: string;
  branch: string | null;
  waitOutcome: WaitOutcome | null;
  taken: number;
}

/**
 * Executions by step: those currently there, never cached, and those that have left it, with the ways that they took.
 *
 * @param days before now in which those that left are counted; null: at any time
 */
export async function countBySteps(
  db: Db,
  projectId: string,
  workflowId: string,
  days: number | null,
): Promise<{ steps: StepCount[]; ways: WayCount[] }> {
  const [standing, left] = await Promise.all([
    countStanding(db, projectId, workflowId),
    countLeft(db, projectId, workflowId, days),
  ]);
  const counts = new Map<string, StepCount>();
  const countOf = (stepId: string): StepCount => {
    const count = counts.get(stepId) ?? { stepId, standing: 0, passed: 0, failed: 0 };
    counts.set(stepId, count);
    return count;
  };
  for (const { stepId, standing: here } of standing) countOf(stepId).standing = here;
  for (const { stepId, passed, failed } of left) {
    const count = countOf(stepId);
    count.passed += passed;
    count.failed += failed;
  }
  const ways = left
    .filter(({ branch, waitOutcome, passed }) => passed > 0 && (branch !== null || waitOutcome !== null))
    .map(({ stepId, branch, waitOutcome, passed }) => ({ stepId, branch, waitOutcome, taken: passed }));
  return { steps: [...counts.values()], ways };
}

type Standing = Pick<StepCount, 'stepId' | 'standing'>;
/** Counts of one way out of a step; steps with a single way have one. */
type Left = Pick<StepCount, 'stepId' | 'passed' | 'failed'> & Pick<WayCount, 'branch' | 'waitOutcome'>;

const countStanding = (db: Db, projectId: string, workflowId: string): Promise<Standing[]> =>
  db.$queryRaw<Standing[]>`
    SELECT "currentStepId"::text AS "stepId", count(*)::int AS "standing" FROM "WorkflowExecution"
    WHERE "projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid
      AND "status" IN ('RUNNING', 'WAITING') AND "currentStepId" IS NOT NULL
    GROUP BY "currentStepId"`;

async function countLeft(
  db: Db,
  projectId: string,
  workflowId: string,
  days: number | null,
): Promise<Left[]> {
  const ofWorkflow = Prisma.sql`e."projectId" = ${projectId}::uuid AND e."workflowId" = ${workflowId}::uuid`;
  const since =
    days === null ? Prisma.empty : Prisma.sql`AND s."completedAt" > now() - ${days}::int * interval '1 day'`;
  const compute = async () => {
    const rows = await db.$queryRaw<Left[]>`
      SELECT s."stepId"::text AS "stepId", s."output"->>'branch' AS "branch", s."output"->>'waitOutcome' AS "waitOutcome",
        (count(*) FILTER (WHERE s."status" = 'COMPLETED'))::int AS "passed",
        (count(*) FILTER (WHERE s."status" = 'FAILED'))::int AS "failed"
      FROM "WorkflowExecution" e JOIN "WorkflowStepExecution" s ON s."executionId" = e."id"
      WHERE ${ofWorkflow} AND s."status" IN ('COMPLETED', 'FAILED') ${since}
      GROUP BY 1, 2, 3`;
    return rows as (Left & Prisma.InputJsonObject)[];
  };
  if (!(await hasManyExecutions(db, projectId, workflowId))) return compute();
  return cachedFigure(
    db,
    { projectId, key: `workflows.ways.${workflowId}.${days ?? 'all'}`, maxAgeSeconds },
    compute,
  );
}

/** Whether counting the executions of a workflow takes long. */
export async function hasManyExecutions(db: Db, projectId: string, workflowId: string): Promise<boolean> {
  const [size] = await db.$queryRaw<{ many: boolean }[]>`
    SELECT count(*) > ${manyExecutions}::int AS "many" FROM (
      SELECT FROM "WorkflowExecution" WHERE "projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid
      LIMIT ${manyExecutions + 1}::int) AS known`;
  return size?.many ?? false;
}
