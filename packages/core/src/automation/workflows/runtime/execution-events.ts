import { constant, Prisma } from '../../../base/db/index.ts';
import { eventRow, insertEvents, storedAs } from '../../../base/event-types/index.ts';

/** The columns that `tellExecutions` reads, for `RETURNING`. */
export const toldColumns = constant(
  '"id", "projectId", "workflowId", "contactId", "status", "exitReason", "endedBy"',
);

/**
 * Stores that executions started or ended: part of the statement in which they do.
 *
 * @param rows a relation with the columns of the executions, after the change
 */
export const tellExecutions = (
  type: 'workflow.started' | 'workflow.completed',
  rows: string,
): Prisma.Sql => Prisma.sql`${insertEvents}
  ${eventRow({
    ...storedAs(type),
    projectId: constant('x."projectId"'),
    data: constant(`jsonb_build_object('workflowId', x."workflowId", 'workflowName', w."name", 'executionId', x."id", 'status', x."status",
      'exitReason', x."exitReason"${type === 'workflow.completed' ? `, 'goalId', x."endedBy" ->> 'goalId'` : ''})`),
    contactId: constant('x."contactId"'),
  })}
  FROM ${constant(rows)} x JOIN "Workflow" w ON w."id" = x."workflowId"`;

/**
 * Stores that executions failed: part of the statement in which they do.
 *
 * @param rows a relation with the columns of the executions, after the change
 */
export const tellFailures = (rows: string): Prisma.Sql => Prisma.sql`${insertEvents}
  ${eventRow({
    ...storedAs('execution.failed'),
    projectId: constant('x."projectId"'),
    data: constant(`jsonb_build_object('workflowId', x."workflowId", 'workflowName', w."name", 'executionId', x."id", 'stepKey', x."failedStepKey",
      'error', x."exitReason", 'retries', x."retries")`),
    contactId: constant('x."contactId"'),
  })}
  FROM ${constant(rows)} x JOIN "Workflow" w ON w."id" = x."workflowId"`;
