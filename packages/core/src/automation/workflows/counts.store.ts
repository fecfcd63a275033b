import type { Db } from '../../base/db/index.ts';
import { quarterMs } from '../../base/figures/index.ts';
import { manyExecutions } from './execution-counts.store.ts';
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
