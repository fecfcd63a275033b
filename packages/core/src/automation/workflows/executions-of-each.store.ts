import { constant, type Db, ofProject, Prisma } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import type { ExecutionRow, StepExecutionRow } from './executions.store.ts';

/** What an execution belongs to, as its column. */
export type ExecutionParent = 'contactId' | 'workflowId' | 'sourceEventId';

interface ExecutionsOfEach {
  projectId: string;
  parent: ExecutionParent;
  ids: readonly string[];
  status?: ExecutionRow['status'] | undefined;
}

/** Those of a deleted workflow are removed behind its deletion. */
const hasWorkflow = (projectId: string): Prisma.Sql => Prisma.sql`
  EXISTS (SELECT FROM "Workflow" w WHERE w."id" = x."workflowId" AND ${ofProject('w."projectId"', projectId)})`;

const belongsTo = ({ projectId, parent, status }: ExecutionsOfEach): Prisma.Sql => {
  const inState =
    status === undefined ? Prisma.empty : Prisma.sql`AND x."status" = ${status}::"ExecutionStatus"`;
  return Prisma.sql`x."projectId" = ${projectId}::uuid AND x."${constant(parent)}" = p."id" ${inState} AND ${hasWorkflow(projectId)}`;
};

/** One keyset page of the executions of each parent, newest first. */
export function executionsOfEach(
  db: Db,
  search: ExecutionsOfEach,
  { after, take }: { after: Keyset | null; take: number },
): Promise<ExecutionRow[]> {
  const older = after
    ? Prisma.sql`AND (x."createdAt", x."id") < (${new Date(after.value)}, ${after.id}::uuid)`
    : Prisma.empty;
  return db.$queryRaw<ExecutionRow[]>`
    SELECT x.* FROM unnest(${search.ids}::uuid[]) AS p("id") CROSS JOIN LATERAL (
      SELECT x.* FROM "WorkflowExecution" x WHERE ${belongsTo(search)} ${older}
      ORDER BY x."createdAt" DESC, x."id" DESC LIMIT ${take}::int
    ) x ORDER BY x."createdAt" DESC, x."id" DESC`;
}

export const countExecutionsOfEach = (
  db: Db,
  search: ExecutionsOfEach,
): Promise<{ id: string; count: number }[]> => db.$queryRaw`
  SELECT p."id"::text AS "id", x."count" FROM unnest(${search.ids}::uuid[]) AS p("id") CROSS JOIN LATERAL (
    SELECT count(*)::int AS "count" FROM "WorkflowExecution" x WHERE ${belongsTo(search)}
  ) x`;

export const findExecutions = (db: Db, projectId: string, ids: string[]): Promise<ExecutionRow[]> =>
  db.$queryRaw`
    SELECT x.* FROM "WorkflowExecution" x
    WHERE x."id" = ANY(${ids}::uuid[]) AND ${ofProject('x."projectId"', projectId)} AND ${hasWorkflow(projectId)}`;

/** The steps of several executions, in the order in which they began; those that have not begun come last. */
export const stepsOfEach = (db: Db, projectId: string, executionIds: string[]): Promise<StepExecutionRow[]> =>
  db.workflowStepExecution.findMany({
    where: { projectId, executionId: { in: executionIds } },
    orderBy: [{ startedAt: { sort: 'asc', nulls: 'last' } }, { createdAt: 'asc' }, { id: 'asc' }],
  });
