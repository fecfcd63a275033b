import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import { estimatedFigure, type WantedFigures } from '../../base/figures/index.ts';
import { countHere, sumStepFigures } from './figures/step-figures.store.ts';

/** Above this number of executions, counts of them are cached for a minute. */
export const manyExecutions = 20_000;
const countsAgeSeconds = 60;
const countsPrefix = 'workflows.executions';

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
