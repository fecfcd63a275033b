import { Prisma } from '../db/index.ts';

/*
 * Who edits a workflow's graph holds it alone; executions that go from one step to the next share it. Advisory, since hundreds
 * of executions do so at once: locking the workflow's row together would write to that row each time, and would let an editor
 * wait for as long as new ones come, while advisory locks are given in the order in which they were asked for.
 *
 * It is the first lock of a transaction; executions come after it.
 */

const key = (workflowId: string | Prisma.Sql): Prisma.Sql =>
  Prisma.sql`hashtextextended('workflow/' || ${workflowId}::text, 0)`;

/** SQL expression: nobody edits the graph before the transaction ends. Takes an id, or an expression that gives one. */
export const keepGraph = (workflowId: string | Prisma.Sql): Prisma.Sql =>
  Prisma.sql`pg_advisory_xact_lock_shared(${key(workflowId)})::text`;

/** SQL expression: no execution of the workflow goes on before the transaction ends. */
export const lockGraph = (workflowId: string): Prisma.Sql =>
  Prisma.sql`pg_advisory_xact_lock(${key(workflowId)})::text`;
