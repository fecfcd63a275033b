import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import { estimatedFigure, quarterMs, type WantedFigures } from '../../base/figures/index.ts';
import { countHere, type FigureScope, figureSteps, type StepSums, sumStepFigures } from './figures/index.ts';
import type { WaitOutcome } from './steps/step.rules.ts';
import { stepDefinition } from './steps/steps.schema.ts';

export interface StepCount {
  stepId: string;
  standing: number;
  passed: number;
  failed: number;
}

export interface WayCount {
  stepId: string;
  branch: string | null;
  waitOutcome: WaitOutcome | null;
  taken: number;
}

const dayMs = 86_400_000;

/** Above this number of executions, counts of them are cached for a minute. */
const manyExecutions = 20_000;
const countsAgeSeconds = 60;
const countsPrefix = 'workflows.executions';

/**
 * Executions by step: those currently there, and those that have left it, with the ways that they took, from the figures.
 *
 * @param days before now in which those that left are counted, to the quarter of an hour; null: at any time
 */
export async function countBySteps(
  db: Db,
  projectId: string,
  workflowId: string,
  days: number | null,
): Promise<{ steps: StepCount[]; ways: WayCount[] }> {
  const scope = { projectId, workflowId, version: null };
  const [standing, sums] = await Promise.all([
    countHere(db, scope),
    sumStepFigures(db, scope, days === null ? null : lastDays(days, Date.now())),
  ]);
  const left = sums.filter(({ scopeId }) => scopeId !== workflowId);
  const counts = new Map<string, StepCount>();
  const countOf = (stepId: string): StepCount => {
    const count = counts.get(stepId) ?? { stepId, standing: 0, passed: 0, failed: 0 };
    counts.set(stepId, count);
    return count;
  };
  for (const [stepId, here] of standing) if (stepId !== null) countOf(stepId).standing = here;
  for (const sum of left) {
    if (sum.left === 0 && sum.failed === 0) continue;
    const count = countOf(sum.scopeId);
    count.passed += sum.left;
    count.failed += sum.failed;
  }
  return { steps: [...counts.values()], ways: waysOf(left, await stepsThatWait(db, scope, left)) };
}

/** The clocks of processes differ: what was stored just now counts. */
const lastDays = (days: number, now: number) => ({
  from: new Date(Math.floor((now - days * dayMs) / quarterMs) * quarterMs),
  to: new Date(Math.ceil((now + dayMs) / quarterMs) * quarterMs),
});

async function stepsThatWait(db: Db, scope: FigureScope, sums: readonly StepSums[]): Promise<Set<string>> {
  const ids = sums.flatMap(({ scopeId, outcome }) => (outcome === '' ? [] : scopeId));
  const steps = (await figureSteps(db, scope, [...new Set(ids)])) ?? [];
  return new Set(
    steps.filter(({ type }) => stepDefinition(type).waysOut.kind === 'outcomes').map(({ id }) => id),
  );
}

function waysOf(sums: readonly StepSums[], waiting: ReadonlySet<string>): WayCount[] {
  const ways = new Map<string, WayCount>();
  for (const { scopeId: stepId, outcome, left } of sums) {
    if (outcome === '') continue;
    const key = `${stepId} ${outcome}`;
    const way = ways.get(key) ?? {
      stepId,
      ...(waiting.has(stepId)
        ? { branch: null, waitOutcome: outcome as WaitOutcome }
        : { branch: outcome, waitOutcome: null }),
      taken: 0,
    };
    way.taken += left;
    ways.set(key, way);
  }
  return [...ways.values()].filter(({ taken }) => taken > 0);
}

/** Whether counting the executions of a workflow takes long. */
export async function hasManyExecutions(db: Db, projectId: string, workflowId: string): Promise<boolean> {
  const [size] = await db.$queryRaw<{ many: boolean }[]>`
    SELECT count(*) > ${manyExecutions}::int AS "many" FROM (
      SELECT FROM "WorkflowExecution" WHERE "projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid
      LIMIT ${manyExecutions + 1}::int) AS known`;
  return size?.many ?? false;
}

export interface ExecutionCounts {
  executions: number;
  active: number;
  failed24h: number;
}

/** What was counted last of a workflow with many executions, beside its figures of that moment. */
interface LargeCounts extends Prisma.InputJsonObject {
  executions: number;
  active: number;
  begun: number;
  ended: number;
}

/** Of the workflow `k."id"`, by the index of failed executions. */
export const failedLately = (projectId: string): Prisma.Sql => Prisma.sql`
  SELECT count(*)::int AS "failed" FROM "WorkflowExecution" x
  WHERE x."workflowId" = k."id" AND x."status" = 'FAILED' AND x."completedAt" > now() - interval '24 hours' AND ${ofProject('x."projectId"', projectId)}`;

/**
 * The executions of each workflow, those that are active, and those that failed in the last 24 hours. Of a workflow with many executions the
 * first two are those of the last minute, and until they are counted in the background what its figures say.
 */
export async function countExecutionsOf(
  db: Db,
  projectId: string,
  workflowIds: string[],
): Promise<Map<string, ExecutionCounts>> {
  const rows = await db.$queryRaw<{ id: string; executions: number; active: number; failed: number }[]>`
    SELECT k."id"::text AS "id", n."executions", a."active", f."failed" FROM unnest(${workflowIds}::uuid[]) AS k("id")
    CROSS JOIN LATERAL (SELECT count(*)::int AS "executions" FROM (
      SELECT FROM "WorkflowExecution" x WHERE x."projectId" = ${projectId}::uuid AND x."workflowId" = k."id" LIMIT ${manyExecutions + 1}::int) known) n
    CROSS JOIN LATERAL (SELECT count(*)::int AS "active" FROM "WorkflowExecution" x
      WHERE n."executions" <= ${manyExecutions}::int AND x."workflowId" = k."id" AND x."status" IN ('RUNNING', 'WAITING')
        AND ${ofProject('x."projectId"', projectId)}) a
    CROSS JOIN LATERAL (${failedLately(projectId)}) f`;
  const counts = new Map<string, ExecutionCounts>();
  for (const { id, executions, active, failed } of rows) {
    const large = executions > manyExecutions ? await largeCounts(db, projectId, id) : null;
    counts.set(id, {
      executions: large?.executions ?? executions,
      active: large?.active ?? active,
      failed24h: failed,
    });
  }
  return counts;
}

const largeCounts = (db: Db, projectId: string, workflowId: string): Promise<LargeCounts> =>
  estimatedFigure<LargeCounts, LargeCounts>(
    db,
    { projectId, key: `${countsPrefix}.${workflowId}`, maxAgeSeconds: countsAgeSeconds },
    async (last) => {
      const sums = await begunAndEnded(db, projectId, workflowId);
      const { begun, ended } = sums;
      const since = last ?? { executions: 0, active: 0, begun: 0, ended: 0 };
      const executions = since.executions + begun - since.begun;
      const active = since.active + begun - since.begun - (ended - since.ended);
      return { ...sums, executions, active: Math.max(0, active) };
    },
  );

/** Executions of all times, deleted ones included. */
async function begunAndEnded(db: Db, projectId: string, workflowId: string) {
  const sums = await sumStepFigures(db, { projectId, workflowId, version: null }, null);
  const own = sums.filter(({ scopeId }) => scopeId === workflowId);
  return {
    begun: own.reduce((sum, { entered }) => sum + entered, 0),
    ended: own.reduce((sum, { left, failed }) => sum + left + failed, 0),
  };
}

/** Executions of a workflow with many of them, which take seconds to count. */
export const wantedExecutionCounts: WantedFigures = {
  prefix: countsPrefix,
  async compute(db, projectId, workflowId) {
    const sums = await begunAndEnded(db, projectId, workflowId);
    const here = await countHere(db, { projectId, workflowId, version: null });
    const executions = await db.workflowExecution.count({ where: { projectId, workflowId } });
    const active = [...here.values()].reduce((sum, number) => sum + number, 0);
    return { ...sums, executions, active } satisfies LargeCounts;
  },
};
