import type { Pool } from 'pg';

/**
 * Makes DELAYs of an enabled workflow that nobody has entered shorter than the API's minimum of one minute, because a run waits for many of
 * them. Versions never change but by this.
 *
 * @param seconds by the id of the step; can be fractional
 */
export async function shortenDelays(
  db: Pool,
  workflowId: string,
  seconds: ReadonlyMap<string, number>,
): Promise<void> {
  const client = await db.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    for (const [stepId, each] of seconds) {
      const config = JSON.stringify({ amount: each / 60, unit: 'minutes' });
      await client.query(
        `UPDATE "WorkflowStep" SET "config" = $2::jsonb WHERE "id" = $1 AND "type" = 'DELAY'`,
        [stepId, config],
      );
      await client.query(
        `UPDATE "WorkflowVersion" SET "definition" = jsonb_set("definition", '{steps}', (
           SELECT jsonb_agg(CASE WHEN s.step ->> 'id' = $2 THEN s.step || jsonb_build_object('config', $3::jsonb) ELSE s.step END ORDER BY s.n)
           FROM jsonb_array_elements("definition" -> 'steps') WITH ORDINALITY AS s(step, n)))
         WHERE "workflowId" = $1`,
        [workflowId, stepId, config],
      );
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

export interface WorkflowProgress {
  executions: number;
  /** RUNNING or WAITING */
  active: number;
  /** completed steps of all executions */
  steps: number;
}

export async function workflowProgress(db: Pool, workflowId: string): Promise<WorkflowProgress> {
  const { rows } = await db.query<WorkflowProgress>(
    `SELECT count(*)::int AS executions, (count(*) FILTER (WHERE x."status" IN ('RUNNING', 'WAITING')))::int AS active,
       (SELECT count(*) FROM "WorkflowStepExecution" s JOIN "WorkflowStep" t ON t."id" = s."stepId"
        WHERE t."workflowId" = $1 AND s."status" = 'COMPLETED')::int AS steps
     FROM "WorkflowExecution" x WHERE x."workflowId" = $1`,
    [workflowId],
  );
  return rows[0] ?? { executions: 0, active: 0, steps: 0 };
}

/** Addresses of the contacts whose execution waits at this step. */
export async function waitingAt(db: Pool, stepId: string): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    `SELECT c."email" FROM "WorkflowExecution" x JOIN "Contact" c ON c."id" = x."contactId"
     WHERE x."currentStepId" = $1 AND x."status" = 'WAITING'`,
    [stepId],
  );
  return rows.map(({ email }) => email);
}

export interface StepRecord {
  id: string;
  stepId: string;
  status: string;
  error: string | null;
  /** the number of emails created for it */
  emails: number;
}

export interface ExecutionRecord {
  id: string;
  email: string;
  status: string;
  exitReason: string | null;
  context: Record<string, unknown>;
  /** it is or will be due, or has an open request */
  open: boolean;
  steps: StepRecord[];
}

/** The stored state of a workflow's executions, one element per execution. */
export async function readExecutions(db: Pool, workflowId: string): Promise<ExecutionRecord[]> {
  const { rows } = await db.query<ExecutionRecord>(
    `SELECT x."id", c."email", x."status"::text, x."exitReason", x."context",
       x."dueAt" IS NOT NULL OR EXISTS (SELECT FROM "StepRequest" q WHERE q."executionId" = x."id") AS open, coalesce(taken.steps, '[]') AS steps
     FROM "WorkflowExecution" x
     JOIN "Contact" c ON c."id" = x."contactId"
     LEFT JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object('id', s."id", 'stepId', s."stepId", 'status', s."status", 'error', s."error", 'emails',
         (SELECT count(*) FROM "Email" e WHERE e."workflowStepExecutionId" = s."id"))) AS steps
       FROM "WorkflowStepExecution" s WHERE s."executionId" = x."id"
     ) taken ON true
     WHERE x."workflowId" = $1`,
    [workflowId],
  );
  return rows;
}

/** The number of events that have not been dispatched. */
export async function undispatchedEvents(db: Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM "EventDispatch"`);
  return rows[0]?.count ?? 0;
}

/**
 * Active executions that nothing would bring on: they are not due, wait for no event and have no open request; and those that have ended and
 * are due. @returns sentences
 */
export async function strandedExecutions(db: Pool): Promise<string[]> {
  const { rows } = await db.query<{ status: string; count: number }>(
    `SELECT x."status"::text, count(*)::int AS count FROM "WorkflowExecution" x
     WHERE CASE WHEN x."status" NOT IN ('RUNNING', 'WAITING') THEN x."dueAt" IS NOT NULL ELSE x."dueAt" IS NULL
       AND NOT EXISTS (SELECT FROM "WorkflowStepExecution" s WHERE s."executionId" = x."id" AND s."stepId" = x."currentStepId" AND s."status" = 'WAITING')
       AND NOT EXISTS (SELECT FROM "StepRequest" q WHERE q."executionId" = x."id") END
     GROUP BY 1`,
  );
  return rows.map(({ status, count }) => `${count} executions are stranded: ${status}`);
}

export interface WorkflowPath {
  email: string;
  status: string;
  exitReason: string | null;
  /** with which it began */
  version: number;
  /** where its executions went on, null if never */
  movedTo: number | null;
  /** in the order in which they were come to */
  steps: { stepId: string; status: string; emails: number }[];
}

/** The way of each execution of a workflow with versions. */
export async function readPaths(db: Pool, workflowId: string): Promise<WorkflowPath[]> {
  const { rows } = await db.query<WorkflowPath>(
    `SELECT c."email", x."status"::text, x."exitReason", x."version", v."movedTo", coalesce(taken.steps, '[]') AS steps
     FROM "WorkflowExecution" x
     JOIN "Contact" c ON c."id" = x."contactId"
     LEFT JOIN "WorkflowVersion" v ON v."workflowId" = x."workflowId" AND v."version" = x."version"
     LEFT JOIN LATERAL (
       SELECT jsonb_agg(jsonb_build_object('stepId', s."stepId", 'status', s."status", 'emails',
         (SELECT count(*) FROM "Email" e WHERE e."workflowStepExecutionId" = s."id")) ORDER BY s."startedAt", s."id") AS steps
       FROM "WorkflowStepExecution" s WHERE s."executionId" = x."id"
     ) taken ON true
     WHERE x."workflowId" = $1`,
    [workflowId],
  );
  return rows;
}
