import type { Db } from '../../../base/db/index.ts';
import { enterJobKind } from '../entries/enter-job.store.ts';

/** What a job has done so far. How many were changed is counted under the name of what it does, too. */
interface JobResult {
  matched: number;
  changed?: number;
  cancelled?: number;
  retried?: number;
}

/** A job of a workflow, about its executions or those who enter. */
export interface JobOfWorkflow {
  id: string;
  kind: string;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  progress: number;
  result: JobResult | null;
  failedReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

/** Kinds whose jobs are read by the workflow that they are about. */
const kinds = ['move-executions', 'cancel-executions', 'retry-executions', enterJobKind];

export async function findJobOfWorkflow(
  db: Db,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<JobOfWorkflow | null> {
  const [row] = await db.$queryRaw<JobOfWorkflow[]>`
    SELECT "id"::text AS "id", "kind", "state", "progress", "result", "failedReason", "createdAt", "completedAt" FROM "Job"
    WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid AND "kind" = ANY(${kinds}) AND "input" ->> 'workflowId' = ${workflowId}::text`;
  return row ?? null;
}
