import type { Pool } from 'pg';

export interface ExecutionFigures {
  exited: number;
  others: number;
  /** completed steps */
  steps: number;
  /** emails accepted by the mail server */
  sent: number;
  /** when the last execution ended according to its row, in milliseconds since the epoch */
  lastEndedAt: number;
}

/** The results of the executions created at `since` or later. */
export async function readFigures(db: Pool, workflowId: string, since: number): Promise<ExecutionFigures> {
  const { rows } = await db.query<ExecutionFigures>(
    `WITH own AS (SELECT "id", "status", "completedAt" FROM "WorkflowExecution" WHERE "workflowId" = $1 AND "createdAt" >= $2)
     SELECT (SELECT count(*) FROM own WHERE "status" = 'EXITED')::int AS exited,
       (SELECT count(*) FROM own WHERE "status" <> 'EXITED')::int AS others,
       (SELECT count(*) FROM "WorkflowStepExecution" s JOIN own ON own."id" = s."executionId" WHERE s."status" = 'COMPLETED')::int AS steps,
       (SELECT count(*) FROM "Email" e JOIN own ON own."id" = e."workflowExecutionId" WHERE e."sentAt" IS NOT NULL)::int AS sent,
       (SELECT coalesce(extract(epoch FROM max("completedAt")) * 1000, 0)::float8 FROM own) AS "lastEndedAt"`,
    [workflowId, new Date(since)],
  );
  const [row] = rows;
  if (!row) throw new Error('an aggregate gave no row');
  return row;
}
