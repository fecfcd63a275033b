import type { Pool } from 'pg';
import { ofProject, plainTransaction, type SqlDb } from '../../../base/db/index.ts';
import { cancelReasons } from '../exit-reasons.rules.ts';
import { endExecutions } from './set.store.ts';

/** Executions that one transaction of a cancellation ends. */
export const cancelledAtOnce = 2_000;

/**
 * Ends executions that began before the cancellation of their workflow. No set takes a step of them any more.
 *
 * @returns how many; less than `cancelledAtOnce` are the last ones
 */
export async function cancelSome(db: SqlDb, projectId: string, workflowId: string): Promise<number> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id" FROM "WorkflowExecution" x
    WHERE x."workflowId" = ${workflowId}::uuid AND x."status" IN ('RUNNING', 'WAITING') AND ${ofProject('x."projectId"', projectId)}
      AND coalesce(x."retriedAt", x."startedAt") < (SELECT w."cancelledAt" FROM "Workflow" w WHERE w."id" = ${workflowId}::uuid)
    ORDER BY x."id" LIMIT ${cancelledAtOnce} FOR UPDATE OF x`;
  await endExecutions(
    db,
    rows.map(({ id }) => id),
    cancelReasons.user,
  );
  if (rows.length < cancelledAtOnce)
    await db.$executeRaw`
      UPDATE "Workflow" SET "cancelling" = false WHERE "id" = ${workflowId}::uuid AND "cancelling" AND ${ofProject('"projectId"', projectId)}`;
  return rows.length;
}

/** One transaction of a cancellation that goes on behind its reply. */
export const cancelBatch = (pool: Pool, projectId: string, workflowId: string): Promise<number> =>
  plainTransaction(pool, (db) => cancelSome(db, projectId, workflowId));
