import type { SqlDb } from '../../base/db/index.ts';

/** Executions that ended before, found workflow by workflow in the order in which they began, and locked. */
export async function findEndedBefore(db: SqlDb, before: Date, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id" FROM "Workflow" w CROSS JOIN LATERAL (
      SELECT x."id" FROM "WorkflowExecution" x
      WHERE x."projectId" = w."projectId" AND x."workflowId" = w."id" AND x."createdAt" < ${before}::timestamptz
        AND x."completedAt" < ${before}::timestamptz AND x."status" NOT IN ('RUNNING', 'WAITING')
      ORDER BY x."createdAt", x."id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED) x
    LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}
