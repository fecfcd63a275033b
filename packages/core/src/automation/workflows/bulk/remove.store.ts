import type { Db } from '../../../base/db/index.ts';
import { removeExecutions } from '../runtime/set.store.ts';

/** Deletes the next executions of a deleted workflow, and then the next of its entries. @returns how many rows of either */
export async function removeNext(
  db: Db,
  { projectId, workflowId }: { projectId: string; workflowId: string },
  limit: number,
): Promise<number> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id"::text AS "id" FROM "WorkflowExecution" x
    WHERE x."projectId" = ${projectId}::uuid AND x."workflowId" = ${workflowId}::uuid
    ORDER BY x."createdAt", x."id" LIMIT ${limit}::int FOR UPDATE`;
  await removeExecutions(
    db,
    rows.map(({ id }) => id),
  );
  if (rows.length > 0) return rows.length;
  return db.$executeRaw`
    DELETE FROM "WorkflowEntry" WHERE ctid = ANY(ARRAY(
      SELECT n.ctid FROM "WorkflowEntry" n WHERE n."workflowId" = ${workflowId}::uuid LIMIT ${limit}::int FOR UPDATE))`;
}
