import type { Pool } from 'pg';
import { Prisma, plainTransaction, prepared, type SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { cancelReasons } from '../exit-reasons.rules.ts';
import { cancelledAtOnce } from './cancel.store.ts';
import { endExecutions } from './set.store.ts';

const hand = prepared<{ id: string }>(
  'hand-over-execution',
  ({ id }) => Prisma.sql`
  UPDATE "WorkflowExecution" x SET "dueAt" = coalesce(x."dueAt", greatest(x."resumeAt", now()))
  WHERE x."id" = ${id}::uuid AND x."status" IN ('RUNNING', 'WAITING') AND (x."dueAt" IS NOT NULL OR x."resumeAt" IS NOT NULL OR x."wakeSeq" > x."seenSeq")
    AND NOT EXISTS (SELECT FROM "StepRequest" r WHERE r."executionId" = x."id")`,
);

/** Gives sets an execution that a worker of the version before has had in a Temporal workflow of its own. */
export const handOver = async ({ database }: Pick<Services, 'database'>, id: string): Promise<void> => {
  await handOverIn(database.durable, id);
};

const handOverIn = (pool: Pool, id: string): Promise<unknown> => pool.query(hand({ id }));

/** Ends executions that wait in disabled projects; those that are due end in their sets. @returns how many */
async function endSome(db: SqlDb): Promise<number> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id" FROM "Project" p JOIN "Workflow" w ON w."projectId" = p."id" CROSS JOIN LATERAL (
      SELECT x."id" FROM "WorkflowExecution" x WHERE x."workflowId" = w."id" AND x."status" IN ('RUNNING', 'WAITING')
      LIMIT ${cancelledAtOnce} FOR UPDATE SKIP LOCKED) x
    WHERE p."disabled" LIMIT ${cancelledAtOnce}`;
  await endExecutions(
    db,
    rows.map(({ id }) => id),
    cancelReasons.project,
  );
  return rows.length;
}

/**
 * Ends the executions of disabled projects, a transaction for some of them.
 *
 * @param endsAt by `performance.now()`
 * @returns how many
 */
export async function endStoppedExecutions({ database }: Services, endsAt: number): Promise<number> {
  let total = 0;
  for (let count = cancelledAtOnce; count >= cancelledAtOnce && performance.now() < endsAt; total += count)
    count = await plainTransaction(database.durable, endSome);
  return total;
}
