import { type Db, Prisma } from '../../../base/db/index.ts';
import { removeExecutions } from '../runtime/set.store.ts';

interface Removed {
  projectId: string;
  workflowId: string;
}

/** What is left of a workflow beside its executions. */
const tables = ['WorkflowEntry', 'WorkflowDue', 'StepFigureEntry', 'StepFigure'] as const;

/** Deletes the next executions of a deleted workflow, and then the next of what else it has. @returns how many rows of one of these */
export async function removeNext(db: Db, of: Removed, limit: number): Promise<number> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id"::text AS "id" FROM "WorkflowExecution" x
    WHERE x."projectId" = ${of.projectId}::uuid AND x."workflowId" = ${of.workflowId}::uuid
    ORDER BY x."createdAt", x."id" LIMIT ${limit}::int FOR UPDATE`;
  await removeExecutions(
    db,
    rows.map(({ id }) => id),
  );
  let removed = rows.length;
  for (const table of tables) if (removed === 0) removed = await removeFrom(db, table, of, limit);
  return removed;
}

const removeFrom = (
  db: Db,
  table: (typeof tables)[number],
  { projectId, workflowId }: Removed,
  limit: number,
): Promise<number> => {
  const name = Prisma.raw(`"${table}"`);
  return db.$executeRaw`
    DELETE FROM ${name} WHERE ctid = ANY(ARRAY(
      SELECT r.ctid FROM ${name} r WHERE r."projectId" = ${projectId}::uuid AND r."workflowId" = ${workflowId}::uuid LIMIT ${limit}::int FOR UPDATE))`;
};
