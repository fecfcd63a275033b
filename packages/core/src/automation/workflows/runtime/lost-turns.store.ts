import type { SqlDb } from '../../../base/db/index.ts';

/** Counts a turn as lost until it ends. @returns the number of lost turns, this one included */
export async function beginRepeatedTurn(db: SqlDb, executionId: string): Promise<number> {
  const rows = await db.$queryRaw<{ lost: number }[]>`
    UPDATE "WorkflowExecution" SET "lostTurns" = "lostTurns" + 1 WHERE "id" = ${executionId}::uuid RETURNING "lostTurns"::int AS "lost"`;
  return rows[0]?.lost ?? 0;
}

export async function endRepeatedTurn(db: SqlDb, executionId: string, lost: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "lostTurns" = ${lost}::int WHERE "id" = ${executionId}::uuid`;
}
