import type { SqlDb } from '../../../base/db/index.ts';

/** Counts a tick as lost until it ends. @returns the number of lost ticks, this one included */
export async function beginRepeatedTick(db: SqlDb, executionId: string): Promise<number> {
  const rows = await db.$queryRaw<{ lost: number }[]>`
    UPDATE "WorkflowExecution" SET "lostTicks" = "lostTicks" + 1 WHERE "id" = ${executionId}::uuid RETURNING "lostTicks"::int AS "lost"`;
  return rows[0]?.lost ?? 0;
}

export async function endRepeatedTick(db: SqlDb, executionId: string, lost: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "lostTicks" = ${lost}::int WHERE "id" = ${executionId}::uuid`;
}
