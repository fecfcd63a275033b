import { Prisma } from '../../../base/db/index.ts';
import { tellExecutions, toldColumns } from './execution-events.ts';

/**
 * The part of a statement that admits contacts to a workflow. Its CTE `wanted` has one row of each: "id" of the execution, "contactId", "eventId",
 * "anchorAt", "context", "at", and the live "version" of the workflow, whose row is locked `FOR KEY SHARE` at least, so that entries and publishes
 * are ordered. The row of an entry is the only decider: at most one active execution of a contact, and without re-entry one
 * in all.
 */
export const admitted = (
  projectId: string,
  { id, allowReentry }: { id: string; allowReentry: boolean },
): Prisma.Sql => Prisma.sql`
  INSERT INTO "WorkflowEntry" AS n ("workflowId", "contactId", "projectId", "entries", "lastAt", "lastEventId", "active")
  SELECT ${id}::uuid, w."contactId", ${projectId}::uuid, 1, w."at", w."eventId", true FROM "wanted" w ORDER BY w."contactId"
  ON CONFLICT ("workflowId", "contactId") DO UPDATE SET "entries" = n."entries" + 1, "lastAt" = excluded."lastAt",
    "lastEventId" = excluded."lastEventId", "active" = true
  WHERE NOT n."active" AND ${allowReentry}::boolean
  RETURNING n."contactId"`;

/**
 * The CTEs `started` and `told`, after `wanted` and `admitted`: the executions of those that were admitted, at the TRIGGER step, and their events.
 */
export const startedExecutions = (
  projectId: string,
  { id, triggerStepId }: { id: string; triggerStepId: string | null },
): Prisma.Sql => Prisma.sql`
  "started" AS (
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "context", "sourceEventId", "currentStepId", "version",
      "wakeSeq", "anchorAt", "anchorEventId", "beganAt")
    SELECT w."id", ${projectId}::uuid, ${id}::uuid, w."contactId", w."context", w."eventId", ${triggerStepId}::uuid, w."version", 1,
      w."anchorAt", w."eventId", w."anchorAt"
    FROM "wanted" w JOIN "admitted" a ON a."contactId" = w."contactId"
    ON CONFLICT DO NOTHING
    RETURNING ${toldColumns}
  ), "told" AS (${tellExecutions('workflow.started', '"started"')})`;
