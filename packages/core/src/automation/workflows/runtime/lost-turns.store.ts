import type { Pool } from 'pg';
import { Prisma, prepared } from '../../../base/db/index.ts';
import { shardOf } from './due.store.ts';

interface DueOf {
  projectId: string;
  workflowId: string;
}

const queueOf = ({ projectId, workflowId }: { [Key in keyof DueOf]: Prisma.Sql }): Prisma.Sql => Prisma.sql`
  ${shardOf(Prisma.sql`x."projectId"`)} = ${shardOf(projectId)} AND x."projectId" = ${projectId} AND x."workflowId" = ${workflowId}
    AND x."dueAt" <= now()`;

const count = prepared<DueOf & { lost: number; limit: number }>(
  'count-turns',
  ({ projectId, workflowId, lost, limit }) => Prisma.sql`
  UPDATE "WorkflowExecution" SET "lostTurns" = "lostTurns" + 1 WHERE "id" = ANY(ARRAY(
    SELECT x."id" FROM "WorkflowExecution" x
    WHERE ${queueOf({ projectId: Prisma.sql`${projectId}::uuid`, workflowId: Prisma.sql`${workflowId}::uuid` })} AND x."lostTurns" = ${lost}::smallint
    ORDER BY x."dueAt", x."id" LIMIT ${limit}::int FOR UPDATE SKIP LOCKED))
  RETURNING "id"`,
);

/**
 * Counts the next turn of due executions as lost until a set of them has ended.
 *
 * @param lost those that were lost so often
 * @returns their ids
 */
export async function countTurns(
  pool: Pool,
  values: DueOf & { lost: number; limit: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(count(values));
  return rows.map(({ id }) => id);
}

const fewest = prepared<DueOf>(
  'fewest-lost-turns',
  ({ projectId, workflowId }) => Prisma.sql`
  SELECT min(x."lostTurns")::int AS "lost" FROM "WorkflowExecution" x
  WHERE ${queueOf({ projectId: Prisma.sql`${projectId}::uuid`, workflowId: Prisma.sql`${workflowId}::uuid` })}`,
);

/** The smallest number of lost turns among due executions; null when none is due. */
export async function fewestLostTurns(pool: Pool, values: DueOf): Promise<number | null> {
  const { rows } = await pool.query<{ lost: number | null }>(fewest(values));
  return rows[0]?.lost ?? null;
}

const forget = prepared<{ ids: string[] }>(
  'forget-lost-turns',
  ({ ids }) => Prisma.sql`
  UPDATE "WorkflowExecution" SET "lostTurns" = greatest(0, "lostTurns" - 1) WHERE "id" = ANY(${ids}::uuid[])`,
);

/** For a set that failed with an error: that its process goes on shows that it lost none. */
export async function uncountTurns(pool: Pool, ids: string[]): Promise<void> {
  await pool.query(forget({ ids }));
}
