import type { Db } from '../../../base/db/index.ts';

/** A job about executions of a workflow, whatever it does with them. */
export interface JobOfWorkflow {
  id: string;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  progress: number;
  result: { matched: number } | null;
  failedReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** Kinds whose jobs are read by the workflow that they are about. */
const kinds = ['move-executions', 'cancel-executions', 'retry-executions'];

export async function findJobOfWorkflow(
  db: Db,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<JobOfWorkflow | null> {
  const [row] = await db.$queryRaw<JobOfWorkflow[]>`
    SELECT "id"::text AS "id", "state", "progress", "result", "failedReason", "createdAt", "completedAt" FROM "Job"
    WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "kind" = ANY(${kinds}) AND "input" ->> 'workflowId' = ${workflowId}::text`;
  return row ?? null;
}
