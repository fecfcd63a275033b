import { type Db, Prisma } from '../../../base/db/index.ts';
import type { Run } from '../buckets.rules.ts';
import type { Period } from '../period.rules.ts';
import type { HeldOutGroups } from './lift.rules.ts';

export interface GoalScope {
  projectId: string;
  goalId: string;
}

/** Sums are decimals: they have no order, and none is too large. */
interface StoredSums {
  conversions: number;
  value: string | null;
  credited: number;
  creditedValue: string | null;
}

/** Conversions in each run of quarters of an hour, by the position of the run; empty ones are left out. @param end where the last run ends */
export const conversionsByRun = (
  db: Db,
  { projectId, goalId }: GoalScope,
  runs: readonly Run[],
  end: Date,
): Promise<(StoredSums & { run: number })[]> => {
  const starts = runs.map(({ start }) => start.toISOString());
  return db.$queryRaw<(StoredSums & { run: number })[]>`
    SELECT width_bucket(c."at", ${starts}::timestamptz[]) - 1 AS "run", count(*)::int AS "conversions", sum(c."value"::numeric)::text AS "value",
      count(c."emailId")::int AS "credited", (sum(c."value"::numeric) FILTER (WHERE c."emailId" IS NOT NULL))::text AS "creditedValue"
    FROM "Conversion" c
    WHERE c."projectId" = ${projectId}::uuid AND c."goalId" = ${goalId}::uuid AND c."at" >= ${starts[0]}::timestamptz AND c."at" < ${end}::timestamptz
    GROUP BY 1`;
};

export interface CreditedRow {
  id: string;
  name: string;
  credited: number;
  creditedValue: string | null;
}

const mostRows = 100;

/** Campaigns with credited conversions, most first. */
export const creditedCampaigns = (
  db: Db,
  { projectId, goalId }: GoalScope,
  { from, to }: Period,
): Promise<CreditedRow[]> => db.$queryRaw<CreditedRow[]>`
  SELECT k."id"::text AS "id", k."name", s."credited", s."creditedValue" FROM (
    SELECT c."campaignId", count(*)::int AS "credited", sum(c."value"::numeric)::text AS "creditedValue" FROM "Conversion" c
    WHERE c."projectId" = ${projectId}::uuid AND c."goalId" = ${goalId}::uuid AND c."at" >= ${from} AND c."at" < ${to} AND c."campaignId" IS NOT NULL
    GROUP BY 1) s
  JOIN "Campaign" k ON k."projectId" = ${projectId}::uuid AND k."id" = s."campaignId"
  ORDER BY s."credited" DESC, k."name", k."id" LIMIT ${mostRows}::int`;

export interface WorkflowGoalRow extends CreditedRow {
  entered: number;
  converted: number;
  value: string | null;
  /** executions that went on at a SPLIT with a holdout, and those that were held out there; of each, those that reached the goal */
  recipients: number;
  recipientsConverted: number;
  heldOut: number;
  heldOutConverted: number;
  /** the part of the draw that goes on, on average */
  share: number | null;
}

/** Workflows that have the goal in a version that is run, or credited conversions; most first. */
export const workflowsOfGoal = (
  db: Db,
  { projectId, goalId }: GoalScope,
  { from, to }: Period,
): Promise<WorkflowGoalRow[]> => db.$queryRaw<WorkflowGoalRow[]>`
  WITH "credited" AS MATERIALIZED (
    SELECT c."workflowId", count(*)::int AS "credited", sum(c."value"::numeric)::text AS "creditedValue" FROM "Conversion" c
    WHERE c."projectId" = ${projectId}::uuid AND c."goalId" = ${goalId}::uuid AND c."at" >= ${from} AND c."at" < ${to} AND c."workflowId" IS NOT NULL
    GROUP BY 1
  ), "wanted" AS MATERIALIZED (
    SELECT "workflowId" FROM "credited"
    UNION SELECT v."workflowId" FROM "WorkflowVersion" v
    WHERE v."projectId" = ${projectId}::uuid AND v."ends" <> '{}' AND v."ends" @> ARRAY['goal.' || ${goalId}::text]
  )
  SELECT w."id"::text AS "id", w."name", coalesce(k."credited", 0) AS "credited", k."creditedValue", s.*
  FROM "wanted" n JOIN "Workflow" w ON w."projectId" = ${projectId}::uuid AND w."id" = n."workflowId"
  LEFT JOIN "credited" k ON k."workflowId" = w."id"
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS "entered", count(c."at")::int AS "converted", sum(c."value"::numeric)::text AS "value",
      (count(*) FILTER (WHERE x."drawnShare" IS NOT NULL AND NOT x."heldOut"))::int AS "recipients",
      (count(c."at") FILTER (WHERE x."drawnShare" IS NOT NULL AND NOT x."heldOut"))::int AS "recipientsConverted",
      (count(*) FILTER (WHERE x."drawnShare" IS NOT NULL AND x."heldOut"))::int AS "heldOut",
      (count(c."at") FILTER (WHERE x."drawnShare" IS NOT NULL AND x."heldOut"))::int AS "heldOutConverted",
      avg(x."drawnShare")::float8 AS "share"
    FROM "WorkflowExecution" x
    LEFT JOIN "ExecutionConversion" c ON c."goalId" = ${goalId}::uuid AND c."executionId" = x."id"
    WHERE x."projectId" = ${projectId}::uuid AND x."workflowId" = w."id" AND x."createdAt" >= ${from} AND x."createdAt" < ${to}) s
  ORDER BY s."converted" DESC, "credited" DESC, w."name", w."id" LIMIT ${mostRows}::int`;

/** Conversions that are credited to the emails of one campaign, and the sum of their values. @param since when it was sent: none is earlier */
export async function creditOfCampaign(
  db: Db,
  { projectId, goalId }: GoalScope,
  { campaignId, since }: { campaignId: string; since: Date },
): Promise<{ credited: number; creditedValue: string | null }> {
  const [row] = await db.$queryRaw<{ credited: number; creditedValue: string | null }[]>`
    SELECT count(*)::int AS "credited", sum(c."value"::numeric)::text AS "creditedValue" FROM "Conversion" c
    WHERE c."projectId" = ${projectId}::uuid AND c."goalId" = ${goalId}::uuid AND c."at" >= ${since} AND c."campaignId" = ${campaignId}::uuid`;
  return row ?? { credited: 0, creditedValue: null };
}

/** Executions of a workflow, by when they began, and with which version; null for all. */
export interface ExecutionScope {
  projectId: string;
  workflowId: string;
  version: number | null;
}

const ofExecutions = ({ projectId, workflowId, version }: ExecutionScope, { from, to }: Period) => Prisma.sql`
  x."projectId" = ${projectId}::uuid AND x."workflowId" = ${workflowId}::uuid AND x."createdAt" >= ${from} AND x."createdAt" < ${to}
  ${version === null ? Prisma.empty : Prisma.sql`AND x."version" = ${version}::int`}`;

/** Executions that reached goals of their workflow, whenever they did. It costs in proportion to these. */
export const reachedGoals = (
  db: Db,
  scope: ExecutionScope,
  goalIds: readonly string[],
  period: Period,
): Promise<{ goalId: string; converted: number; value: string | null }[]> => db.$queryRaw`
  SELECT c."goalId"::text AS "goalId", count(*)::int AS "converted", sum(c."value"::numeric)::text AS "value"
  FROM "ExecutionConversion" c JOIN "WorkflowExecution" x ON x."id" = c."executionId" AND ${ofExecutions(scope, period)}
  WHERE c."goalId" = ANY(${[...goalIds]}::uuid[]) AND c."workflowId" = ${scope.workflowId}::uuid GROUP BY 1`;

/** Of executions that reached a goal, the branches and outcomes that they took. */
export const branchesToGoal = (
  db: Db,
  scope: ExecutionScope,
  goalId: string,
  period: Period,
): Promise<{ stepId: string; branch: string; converted: number; value: string | null }[]> => db.$queryRaw`
  SELECT s."stepId"::text AS "stepId", s."branch", count(*)::int AS "converted", sum(c."value"::numeric)::text AS "value"
  FROM "ExecutionConversion" c JOIN "WorkflowExecution" x ON x."id" = c."executionId" AND ${ofExecutions(scope, period)}
  CROSS JOIN LATERAL (
    SELECT s."stepId", coalesce(s."output" ->> 'branch', s."output" ->> 'waitOutcome') AS "branch" FROM "WorkflowStepExecution" s
    WHERE s."executionId" = c."executionId" AND s."status" = 'COMPLETED') s
  WHERE c."goalId" = ${goalId}::uuid AND c."workflowId" = ${scope.workflowId}::uuid AND s."branch" IS NOT NULL
  GROUP BY 1, 2`;

/** Those who went on and those who were held out at a SPLIT with a holdout, and of each who reached the goal. */
export async function heldOutGroups(
  db: Db,
  scope: ExecutionScope,
  goalId: string,
  period: Period,
): Promise<HeldOutGroups> {
  const [row] = await db.$queryRaw<HeldOutGroups[]>`
    SELECT (count(*) FILTER (WHERE NOT x."heldOut"))::int AS "recipients", (count(c."at") FILTER (WHERE NOT x."heldOut"))::int AS "recipientsConverted",
      (count(*) FILTER (WHERE x."heldOut"))::int AS "heldOut", (count(c."at") FILTER (WHERE x."heldOut"))::int AS "heldOutConverted",
      avg(x."drawnShare")::float8 AS "share"
    FROM "WorkflowExecution" x LEFT JOIN "ExecutionConversion" c ON c."goalId" = ${goalId}::uuid AND c."executionId" = x."id"
    WHERE ${ofExecutions(scope, period)} AND x."drawnShare" IS NOT NULL`;
  return row ?? { recipients: 0, recipientsConverted: 0, heldOut: 0, heldOutConverted: 0, share: null };
}
