import { constant, type Db, Prisma } from '../../../base/db/index.ts';
import { type Period, partsOf } from '../../../base/figures/index.ts';

export interface FigureScope {
  projectId: string;
  workflowId: string;
  /** null: all versions */
  version: number | null;
}

/** Sums over a period, of a step or, where the scope is the workflow, of executions as a whole. */
export interface StepSums {
  scopeId: string;
  /** branch or outcome by which a step was left; status and reason of executions that have ended, reason of blocked entries */
  outcome: string;
  /** seconds from entering the step to leaving it */
  spent: number;
  entered: number;
  left: number;
  failed: number;
  blocked: number;
}

const columns = ['entered', 'left', 'failed', 'blocked'] as const;
const listed = Prisma.raw(columns.map((column) => `"${column}"`).join(', '));
const summed = Prisma.raw(columns.map((column) => `sum(f."${column}")::int AS "${column}"`).join(', '));

const ofVersion = (version: number | null): Prisma.Sql =>
  version === null ? Prisma.empty : Prisma.sql`AND "version" = ${version}::int`;

/** SQL: the scopes of a workflow that have figures, by one step through the index for each. */
const scopes = ({ projectId, workflowId }: FigureScope): Prisma.Sql => {
  const own = Prisma.sql`f."projectId" = ${projectId}::uuid AND f."workflowId" = ${workflowId}::uuid`;
  return Prisma.sql`"scopes"("id") AS (
      (SELECT f."scopeId" FROM "StepFigure" f WHERE ${own} ORDER BY f."scopeId" LIMIT 1)
      UNION ALL
      SELECT (SELECT f."scopeId" FROM "StepFigure" f WHERE ${own} AND f."scopeId" > s."id" ORDER BY f."scopeId" LIMIT 1)
      FROM "scopes" s WHERE s."id" IS NOT NULL
    )`;
};

const atEnds = (period: Partial<Period> | null): Prisma.Sql =>
  Prisma.sql`${period?.from ? Prisma.sql`AND "at" >= ${period.from}` : Prisma.empty}
    ${period?.to ? Prisma.sql`AND "at" < ${period.to}` : Prisma.empty}`;

/**
 * Sums of a workflow as of one moment: what is added up, and the entries that are not yet.
 *
 * @param period of whole quarters of an hour; null: of all times, without what steps took
 */
export function sumStepFigures(db: Db, scope: FigureScope, period: Period | null): Promise<StepSums[]> {
  const { projectId, workflowId, version } = scope;
  const parts = period && partsOf(period);
  const ranges = parts
    ? [
        ...(parts.days ? [{ unit: 'day', ...parts.days }] : []),
        ...parts.quarters.map((quarter) => ({ unit: 'quarter', ...quarter })),
      ]
    : [{ unit: 'total', from: undefined, to: undefined }];
  const stored = ranges.map(
    ({ unit, from, to }) => Prisma.sql`
      SELECT x.* FROM "scopes" s CROSS JOIN LATERAL (
        SELECT "scopeId", "outcome", "spent", ${listed} FROM "StepFigure" WHERE "projectId" = ${projectId}::uuid
          AND "workflowId" = ${workflowId}::uuid AND "scopeId" = s."id" AND "unit" = ${unit}::"FigureUnit"
          ${atEnds({ ...(from && { from }), ...(to && { to }) })} ${ofVersion(version)} OFFSET 0) x
      WHERE s."id" IS NOT NULL`,
  );
  const spent = period ? constant('"spent"') : constant('0');
  return db.$queryRaw<StepSums[]>`
    WITH RECURSIVE ${scopes(scope)}
    SELECT f."scopeId"::text AS "scopeId", f."outcome", f."spent", ${summed} FROM (
      ${Prisma.join(stored, ' UNION ALL ')}
      UNION ALL
      SELECT "scopeId", "outcome", ${spent} AS "spent", ${listed} FROM "StepFigureEntry"
      WHERE "projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid ${atEnds(period)} ${ofVersion(version)}
    ) f GROUP BY 1, 2, 3`;
}

export interface BucketSums {
  /** position of the bucket */
  bucket: number;
  entered: number;
  left: number;
  failed: number;
}

/**
 * Executions of a workflow that began and ended in each bucket; empty ones are left out.
 *
 * @param starts when each bucket starts, in order
 * @param end where the last one ends
 */
export const workflowSeries = (
  db: Db,
  { projectId, workflowId, version }: FigureScope,
  starts: readonly Date[],
  end: Date,
): Promise<BucketSums[]> => {
  const edges = starts.map((start) => start.toISOString());
  const between = Prisma.sql`"at" >= ${edges[0]}::timestamptz AND "at" < ${end} ${ofVersion(version)}`;
  const own = Prisma.sql`"projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid AND "scopeId" = ${workflowId}::uuid`;
  return db.$queryRaw<BucketSums[]>`
    SELECT width_bucket(f."at", ${edges}::timestamptz[]) - 1 AS "bucket", sum(f."entered")::int AS "entered", sum(f."left")::int AS "left",
      sum(f."failed")::int AS "failed"
    FROM (
      SELECT "at", "entered", "left", "failed" FROM "StepFigure" WHERE ${own} AND "unit" = 'quarter' AND ${between}
      UNION ALL
      SELECT "at", "entered", "left", "failed" FROM "StepFigureEntry" WHERE ${own} AND ${between}
    ) f GROUP BY 1`;
};

/**
 * Active executions by the step where they are; null: before the first. They are counted by the index of active executions alone, which
 * knows no project: the workflow is looked up in it.
 */
export async function countHere(
  db: Db,
  { projectId, workflowId, version }: FigureScope,
): Promise<Map<string | null, number>> {
  const rows = await db.$queryRaw<{ stepId: string | null; here: number }[]>`
    SELECT x."currentStepId"::text AS "stepId", count(*)::int AS "here" FROM "WorkflowExecution" x
    WHERE x."workflowId" = (SELECT w."id" FROM "Workflow" w WHERE w."id" = ${workflowId}::uuid AND w."projectId" = ${projectId}::uuid)
      AND x."status" IN ('RUNNING', 'WAITING') ${version === null ? Prisma.empty : Prisma.sql`AND x."version" = ${version}::int`}
    GROUP BY x."currentStepId"`;
  return new Map(rows.map(({ stepId, here }) => [stepId, here]));
}

/** Active executions by the step where they are, of those that run a version, whichever they began with. */
export async function countHereBy(
  db: Db,
  { projectId, workflowId }: FigureScope,
  runs: number,
): Promise<Map<string | null, number>> {
  const rows = await db.$queryRaw<{ stepId: string | null; here: number }[]>`
    WITH "began" AS MATERIALIZED (
      SELECT v."version" FROM "WorkflowVersion" v WHERE v."workflowId" = ${workflowId}::uuid AND v."projectId" = ${projectId}::uuid
        AND version_run(v."workflowId", v."version") = ${runs}::int)
    SELECT x."currentStepId"::text AS "stepId", count(*)::int AS "here" FROM "WorkflowExecution" x
    WHERE x."workflowId" = ${workflowId}::uuid AND x."status" IN ('RUNNING', 'WAITING') AND x."version" = ANY(ARRAY(SELECT "version" FROM "began"))
    GROUP BY x."currentStepId"`;
  return new Map(rows.map(({ stepId, here }) => [stepId, here]));
}
