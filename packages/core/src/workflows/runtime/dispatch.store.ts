import { type Db, Prisma } from '../../db/index.ts';

export interface TakenEvent {
  id: string;
  storedAt: Date;
}

/** Removes events from the event queue, oldest first; concurrent dispatchers get others. */
export const takeEvents = (db: Db, projectId: string, limit: number): Promise<TakenEvent[]> =>
  db.$queryRaw<TakenEvent[]>`
    DELETE FROM "EventDispatch" WHERE "eventId" IN (
      SELECT "eventId" FROM "EventDispatch" WHERE "projectId" = ${projectId}::uuid
      ORDER BY "eventId" LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING "eventId" AS "id", "createdAt" AS "storedAt"`;

const eventsOf = (projectId: string, ids: string[]): Prisma.Sql => Prisma.sql`
  (SELECT "id", "name", "data", "contactId", "createdAt" FROM "Event"
    WHERE "id" = ANY(${ids}::uuid[]) AND "projectId" = ${projectId}::uuid) e`;

/**
 * Executions of the enabled workflows that these events trigger (behaviour B3.4). Unique indexes limit entries: one
 * execution per event and workflow, one active one per contact, one in total without re-entry. An event that was
 * stored before the workflow was enabled, and queued for another reason, does not start an execution.
 */
export async function enterByEvents(db: Db, projectId: string, events: TakenEvent[]): Promise<string[]> {
  const ids = events.map(({ id }) => id);
  const rows = await db.$queryRaw<{ id: string }[]>`
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "context", "sourceEventId", "singleEntry", "wakeSeq",
      "currentStepId")
    SELECT uuid7(), w."projectId", w."id", e."contactId",
      CASE WHEN jsonb_typeof(e."data") = 'object' THEN e."data" ELSE '{}' END, e."id", NOT w."allowReentry", 1,
      (SELECT t."id" FROM "WorkflowStep" t WHERE t."workflowId" = w."id" AND t."type" = 'TRIGGER')
    FROM ${eventsOf(projectId, ids)}
    JOIN unnest(${ids}::uuid[], ${events.map(({ storedAt }) => storedAt)}::timestamptz[]) AS d("id", "storedAt") ON d."id" = e."id"
    JOIN "Workflow" w ON w."projectId" = ${projectId}::uuid AND w."enabled" AND w."triggerType" = 'EVENT'
      AND w."triggerConfig" ->> 'eventName' = e."name" AND (w."triggersSince" IS NULL OR d."storedAt" >= w."triggersSince")
    JOIN "Project" p ON p."id" = w."projectId" AND NOT p."disabled" AND p."deletedAt" IS NULL
    JOIN "Contact" c ON c."id" = e."contactId" AND c."projectId" = w."projectId"
    WHERE w."allowReentry" OR NOT EXISTS (
      SELECT FROM "WorkflowExecution" x
      WHERE x."projectId" = w."projectId" AND x."workflowId" = w."id" AND x."contactId" = e."contactId")
    ORDER BY e."createdAt", e."id"
    ON CONFLICT DO NOTHING
    RETURNING "id"`;
  return rows.map(({ id }) => id);
}

/** Ends waits for these events: the first event of the name after a wait began ends it, and its data is merged into the context. */
export async function endWaits(db: Db, projectId: string, eventIds: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH hit AS (
      SELECT DISTINCT ON (x."id") x."id" AS "executionId", s."id" AS "stepExecutionId", e."id" AS "eventId", e."name", e."createdAt",
        CASE WHEN jsonb_typeof(e."data") = 'object' THEN e."data" ELSE '{}' END AS "data"
      FROM ${eventsOf(projectId, eventIds)}
      JOIN "WorkflowExecution" x ON x."projectId" = ${projectId}::uuid AND x."contactId" = e."contactId" AND x."status" = 'WAITING'
      JOIN "WorkflowStep" t ON t."id" = x."currentStepId" AND t."type" = 'WAIT_FOR_EVENT' AND t."config" ->> 'eventName' = e."name"
      JOIN "WorkflowStepExecution" s ON s."executionId" = x."id" AND s."stepId" = t."id" AND s."status" = 'WAITING'
        AND s."startedAt" < e."createdAt"
      ORDER BY x."id", e."createdAt", e."id"
    ), locked AS (
      SELECT x."id" FROM "WorkflowExecution" x JOIN hit ON hit."executionId" = x."id"
      WHERE x."status" = 'WAITING' ORDER BY x."id" FOR UPDATE OF x
    ), ended AS (
      UPDATE "WorkflowStepExecution" s SET "status" = 'COMPLETED', "eventId" = hit."eventId", "completedAt" = now(), "updatedAt" = now(),
        "output" = jsonb_build_object('waitOutcome', 'EVENT', 'eventName', hit."name", 'eventData', hit."data",
          'receivedAt', to_char(hit."createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM hit JOIN locked ON locked."id" = hit."executionId"
      WHERE s."id" = hit."stepExecutionId" AND s."status" = 'WAITING'
      RETURNING s."executionId", hit."data"
    )
    UPDATE "WorkflowExecution" x SET "status" = 'RUNNING', "resumeAt" = NULL, "context" = x."context" || ended."data",
      "wakeSeq" = x."wakeSeq" + 1, "updatedAt" = now()
    FROM ended WHERE x."id" = ended."executionId"
    RETURNING x."id"`;
  return rows.map(({ id }) => id);
}

/** Contacts that these events may move into or out of tracked segments, because a segment's condition reads the event. */
export async function contactsForSegments(db: Db, projectId: string, eventIds: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ contactId: string }[]>`
    SELECT DISTINCT e."contactId" FROM ${eventsOf(projectId, eventIds)}
    JOIN "EventInterest" i ON i."projectId" = ${projectId}::uuid AND i."name" = e."name"
    JOIN "Segment" s ON s."id" = i."sourceId" AND s."projectId" = i."projectId" AND s."trackMembership"
    WHERE e."contactId" IS NOT NULL`;
  return rows.map(({ contactId }) => contactId);
}
