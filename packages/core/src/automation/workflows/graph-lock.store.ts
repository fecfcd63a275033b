import { Prisma } from '../../base/db/index.ts';

/*
 * The lock of a workflow's graph: edits hold it exclusively; executions that go from one step to the next share it.
 * It is an advisory lock, since hundreds of executions share it at once: a shared row lock would write to the
 * workflow's row each time, and an edit could wait for as long as new ones come, while advisory locks are granted in
 * the order of their requests.
 *
 * It is the first lock of a transaction; executions are locked after it.
 */

const key = (workflowId: string | Prisma.Sql): Prisma.Sql =>
  Prisma.sql`hashtextextended('workflow/' || ${workflowId}::text, 0)`;

/** SQL expression: prevents edits of the graph until the transaction ends. Accepts an id, or an expression that yields one. */
export const keepGraph = (workflowId: string | Prisma.Sql): Prisma.Sql =>
  Prisma.sql`pg_advisory_xact_lock_shared(${key(workflowId)})::text`;

/** SQL expression: prevents executions of the workflow from advancing until the transaction ends. */
export const lockGraph = (workflowId: string): Prisma.Sql =>
  Prisma.sql`pg_advisory_xact_lock(${key(workflowId)})::text`;
