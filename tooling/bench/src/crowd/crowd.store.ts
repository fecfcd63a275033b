import type { Pool } from 'pg';

const perStatement = 20_000;

/** How many executions of a workflow wait, and how many are active at all. */
export async function readCrowd(
  db: Pool,
  workflowId: string,
): Promise<{ waiting: number; active: number; entered: number }> {
  const { rows } = await db.query<{ waiting: number; active: number; entered: number }>(
    `SELECT (count(*) FILTER (WHERE "status" = 'WAITING'))::int AS waiting,
       (count(*) FILTER (WHERE "status" IN ('RUNNING', 'WAITING')))::int AS active, count(*)::int AS entered
     FROM "WorkflowExecution" WHERE "workflowId" = $1`,
    [workflowId],
  );
  return rows[0] ?? { waiting: 0, active: 0, entered: 0 };
}

/** Ends the time of all waits of a workflow at once, as if their day had come. */
export async function makeAllDue(db: Pool, workflowId: string): Promise<void> {
  for (let changed = perStatement; changed > 0; ) {
    const { rowCount } = await db.query(
      `WITH x AS MATERIALIZED (
         SELECT "id" FROM "WorkflowExecution" WHERE "workflowId" = $1 AND "status" = 'WAITING' AND "dueAt" > now() LIMIT ${perStatement}
       ), s AS (
         UPDATE "WorkflowStepExecution" SET "scheduledFor" = now() WHERE "status" = 'WAITING' AND "executionId" IN (SELECT "id" FROM x)
       )
       UPDATE "WorkflowExecution" SET "dueAt" = now() WHERE "id" IN (SELECT "id" FROM x)`,
      [workflowId],
    );
    changed = rowCount ?? 0;
  }
}

/** The emails of workflows other than one, with their addresses. */
export async function emailsOfOthers(
  db: Pool,
  workflowId: string,
): Promise<readonly { id: string; to: string }[]> {
  const { rows } = await db.query<{ id: string; to: string }>(
    `SELECT e."id", e."to" AS "to" FROM "Email" e JOIN "WorkflowExecution" x ON x."id" = e."workflowExecutionId"
     WHERE x."workflowId" <> $1`,
    [workflowId],
  );
  return rows;
}
