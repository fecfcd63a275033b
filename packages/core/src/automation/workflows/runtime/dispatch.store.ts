import { byKey, constant, type Db, ofProject, Prisma } from '../../../base/db/index.ts';
import { tellExecutions, toldColumns } from './execution-events.ts';

export interface TakenEvent {
  id: string;
  storedAt: Date;
  /** in the order of storing (`EventDispatch.seq`) */
  seq: bigint;
}

/** Removes events from the event queue, oldest first; concurrent dispatchers get others. */
export const takeEvents = (db: Db, projectId: string, limit: number): Promise<TakenEvent[]> =>
  db.$queryRaw<TakenEvent[]>`
    DELETE FROM "EventDispatch" WHERE "eventId" = ANY(ARRAY(
      SELECT "eventId" FROM "EventDispatch" WHERE "projectId" = ${projectId}::uuid
      ORDER BY "eventId" LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING "eventId" AS "id", "createdAt" AS "storedAt", "seq"`;

/*
 * Every large table is read by key, whatever the statistics say: a project that was filled a moment ago is unknown to them, and reading it
 * whole for each event took a minute for 20,000 events. With OFFSET 0, a look-up is done for each row before it, and in no other order.
 */
const eventsOf = (projectId: string, ids: string[]): Prisma.Sql => Prisma.sql`
  unnest(${ids}::uuid[]) AS k("id") CROSS JOIN LATERAL (
    SELECT "id", "name", "data", "contactId", "createdAt" FROM "Event"
    WHERE "id" = k."id" AND ${ofProject('"projectId"', projectId)} OFFSET 0) e`;

const queued = (events: TakenEvent[]): Prisma.Sql => Prisma.sql`
  unnest(${events.map(({ id }) => id)}::uuid[], ${events.map(({ storedAt }) => storedAt)}::timestamptz[], ${events.map(({ seq }) => seq)}::bigint[])
    AS d("id", "storedAt", "seq")`;

/**
 * Executions of the enabled workflows that these events trigger (behaviour B3.4), by their live versions: the locks of the workflows order
 * entries and publishes. Unique indexes limit entries: one
 * execution per event and workflow, one active one per contact, one in total without re-entry. An event that was
 * stored before the workflow was enabled, and queued for another reason, does not start an execution: by its time and by its place in the
 * queue, as the clock may have been set back in between.
 */
export async function enterByEvents(db: Db, projectId: string, events: TakenEvent[]): Promise<string[]> {
  const ids = events.map(({ id }) => id);
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH "started" AS (
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "context", "sourceEventId", "singleEntry", "version", "wakeSeq",
      "currentStepId")
    SELECT uuid7(), w."projectId", w."id", e."contactId",
      CASE WHEN jsonb_typeof(e."data") = 'object' THEN e."data" ELSE '{}' END, e."id", NOT w."allowReentry", w."version", 1,
      (SELECT t."id" FROM "WorkflowStep" t WHERE t."workflowId" = w."id" AND t."type" = 'TRIGGER')
    FROM ${eventsOf(projectId, ids)}
    JOIN ${queued(events)} ON d."id" = e."id"
    JOIN "Workflow" w ON w."projectId" = ${projectId}::uuid AND w."enabled" AND w."triggerType" = 'EVENT'
      AND w."triggerConfig" ->> 'eventName' = e."name" AND (w."triggersSince" IS NULL OR d."storedAt" >= w."triggersSince" OR d."seq" > w."triggersAfter")
    JOIN "Project" p ON p."id" = w."projectId" AND NOT p."disabled" AND p."deletedAt" IS NULL
    CROSS JOIN LATERAL (
      SELECT FROM "Contact" WHERE "id" = e."contactId" AND ${ofProject('"projectId"', projectId)} OFFSET 0) c
    WHERE w."allowReentry" OR NOT EXISTS (
      SELECT FROM "WorkflowExecution" x
      WHERE x."projectId" = ${projectId}::uuid AND ${byKey('x."contactId"', 'e."contactId"')}
        AND ${constant('x."workflowId" IS NOT DISTINCT FROM w."id"')})
    ORDER BY e."createdAt", e."id"
    FOR KEY SHARE OF w
    ON CONFLICT DO NOTHING
    RETURNING ${toldColumns}
    ), "told" AS (${tellExecutions('workflow.started', '"started"')})
    SELECT "id" FROM "started"`;
  return rows.map(({ id }) => id);
}

/**
 * Ends waits for these events: the first event of the name after a wait began ends it, and its data is merged into the context. After, that
 * is by its time, or, if the clock was set back in between, by its place in the queue.
 */
export async function endWaits(db: Db, projectId: string, events: TakenEvent[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH hit AS (
      SELECT DISTINCT ON (x."id") x."id" AS "executionId", s."id" AS "stepExecutionId", e."id" AS "eventId", e."name", e."createdAt",
        CASE WHEN jsonb_typeof(e."data") = 'object' THEN e."data" ELSE '{}' END AS "data"
      FROM ${eventsOf(
        projectId,
        events.map(({ id }) => id),
      )}
      JOIN ${queued(events)} ON d."id" = e."id"
      CROSS JOIN LATERAL (
        SELECT "id", "currentStepId", "workflowId", "version" FROM "WorkflowExecution"
        WHERE "projectId" = ${projectId}::uuid AND "contactId" = e."contactId" AND "status" = 'WAITING' OFFSET 0) x
      CROSS JOIN LATERAL (
        SELECT s."id" FROM "WorkflowStep" s
        WHERE x."version" IS NULL AND s."id" = x."currentStepId" AND s."type" = 'WAIT_FOR_EVENT' AND s."config" ->> 'eventName' = e."name"
        UNION ALL
        SELECT x."currentStepId" FROM "WorkflowVersion" v
        WHERE v."workflowId" = x."workflowId" AND v."version" = version_run(x."workflowId", x."version")
          AND v."steps" -> x."currentStepId"::text -> 'waits' ? e."name" OFFSET 0) t
      CROSS JOIN LATERAL (
        SELECT "id" FROM "WorkflowStepExecution"
        WHERE "executionId" = x."id" AND "stepId" = t."id" AND "status" = 'WAITING'
          AND ("startedAt" < e."createdAt" OR ("startedAt" > d."storedAt" AND "eventsAfter" < d."seq")) OFFSET 0) s
      ORDER BY x."id", e."createdAt", e."id"
    ), locked AS (
      SELECT x."id" FROM (SELECT "executionId" FROM hit ORDER BY 1) h
      CROSS JOIN LATERAL (
        SELECT "id" FROM "WorkflowExecution" WHERE "id" = h."executionId" AND "status" = 'WAITING' OFFSET 0 FOR UPDATE) x
    ), ended AS (
      UPDATE "WorkflowStepExecution" s SET "status" = 'COMPLETED', "eventId" = hit."eventId", "completedAt" = now(), "updatedAt" = now(),
        "output" = jsonb_build_object('waitOutcome', 'EVENT', 'eventName', hit."name", 'eventData', hit."data",
          'receivedAt', to_char(hit."createdAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM hit JOIN locked ON locked."id" = hit."executionId"
      WHERE ${byKey('s."id"', 'hit."stepExecutionId"')} AND s."status" = 'WAITING'
      RETURNING s."executionId", hit."data"
    )
    UPDATE "WorkflowExecution" x SET "status" = 'RUNNING', "resumeAt" = NULL, "context" = x."context" || ended."data",
      "wakeSeq" = x."wakeSeq" + 1, "updatedAt" = now()
    FROM ended WHERE ${byKey('x."id"', 'ended."executionId"')}
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
