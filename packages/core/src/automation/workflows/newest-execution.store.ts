import { type Db, ofProject } from '../../base/db/index.ts';
import type { ExecutionRow, StepExecutionRow } from './executions.store.ts';

/**
 * The newest executions of a contact in a workflow, newest first. They are found by the contact: a workflow has far more of them, and in
 * its index they would be looked for one after another.
 */
export const findNewestExecutions = (
  db: Db,
  { projectId, workflowId, contactId }: { projectId: string; workflowId: string; contactId: string },
  limit: number,
): Promise<ExecutionRow[]> => db.$queryRaw<ExecutionRow[]>`
  SELECT * FROM "WorkflowExecution"
  WHERE "projectId" = ${projectId}::uuid AND "contactId" = ${contactId}::uuid AND "workflowId" IS NOT DISTINCT FROM ${workflowId}::uuid
  ORDER BY "createdAt" DESC, "id" DESC LIMIT ${limit}::int`;

/** What an execution did at each of its steps, in the order in which they began. */
export const findStepExecutions = (
  db: Db,
  { projectId, executionId }: { projectId: string; executionId: string },
): Promise<StepExecutionRow[]> => db.$queryRaw<StepExecutionRow[]>`
  SELECT * FROM "WorkflowStepExecution" WHERE "executionId" = ${executionId}::uuid AND ${ofProject('"projectId"', projectId)}
  ORDER BY "createdAt", "id"`;
