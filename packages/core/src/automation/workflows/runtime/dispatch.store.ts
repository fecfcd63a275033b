import { eventWhereSql } from '../../../audience/segments/index.ts';
import { byKey, constant, ofProject, Prisma, type SqlDb } from '../../../base/db/index.ts';
import { timeZoneOfProject } from '../../../people/projects/index.ts';
import { entryOf } from '../entries/entry.rules.ts';
import { whereOf } from '../triggers/event.trigger.ts';
import type { TriggerConfig } from '../triggers/trigger.rules.ts';
import type { TriggerType } from '../triggers/triggers.schema.ts';
import { readAwaited } from '../versions/awaited.store.ts';
import { countedBlocked, entered, wantedEntries } from './entries.store.ts';

export interface TakenEvent {
  id: string;
  name: string;
  contactId: string | null;
  createdAt: Date;
  storedAt: Date;
  /** in the order of storing (`EventDispatch.seq`) */
  seq: number;
}

/** Removes events from the event queue, oldest first; concurrent dispatchers get others. */
export const takeEvents = (db: SqlDb, projectId: string, limit: number): Promise<TakenEvent[]> =>
  db.$queryRaw<TakenEvent[]>`
    WITH "taken" AS MATERIALIZED (
      DELETE FROM "EventDispatch" WHERE "eventId" = ANY(ARRAY(
        SELECT "eventId" FROM "EventDispatch" WHERE "projectId" = ${projectId}::uuid
        ORDER BY "eventId" LIMIT ${limit} FOR UPDATE SKIP LOCKED))
      RETURNING "eventId", "createdAt", "seq"
    )
    SELECT t."eventId" AS "id", e."name", e."contactId", e."createdAt", t."createdAt" AS "storedAt", t."seq" FROM "taken" t
    CROSS JOIN LATERAL (
      SELECT "name", "contactId", "createdAt" FROM "Event" WHERE "id" = t."eventId" AND ${ofProject('"projectId"', projectId)} OFFSET 0) e
    ORDER BY e."contactId", e."createdAt", t."eventId"`;

/** A workflow that waits for an event, by its trigger or in a step. */
export interface InterestedWorkflow {
  id: string;
  enabled: boolean;
  triggerType: TriggerType;
  triggerConfig: TriggerConfig;
  entry: unknown;
  allowReentry: boolean;
  triggersSince: Date | null;
  triggersAfter: number | null;
  projectStopped: boolean;
  /** that new executions begin with */
  version: number | null;
  triggerStepId: string | null;
  /** events for which executions may wait, by any version that they run */
  awaits: readonly string[];
}

/** The names of the events for which the WAIT_FOR_EVENT step `s` of a workflow's rows waits, as `n`. */
const awaitedBySteps = constant(`CROSS JOIN LATERAL (
      SELECT s."config" ->> 'eventName' AS "name" UNION ALL
      SELECT a ->> 'eventName' FROM jsonb_array_elements(CASE WHEN jsonb_typeof(s."config" -> 'events') = 'array' THEN s."config" -> 'events' ELSE '[]' END) AS a) n`);

/** The workflows that wait for events of these names. None of them is deleted, and none gets another version, before the transaction ends. */
export async function interestedWorkflows(
  db: SqlDb,
  projectId: string,
  names: readonly string[],
): Promise<InterestedWorkflow[]> {
  const workflows = await lockInterested(db, projectId, names);
  const awaitedBy = await readAwaited(db, workflows);
  return workflows.map((workflow) => ({ ...workflow, awaits: awaitedBy(workflow) }));
}

const lockInterested = (
  db: SqlDb,
  projectId: string,
  names: readonly string[],
): Promise<Omit<InterestedWorkflow, 'awaits'>[]> => db.$queryRaw<Omit<InterestedWorkflow, 'awaits'>[]>`
  SELECT w."id", w."enabled", w."triggerType"::text AS "triggerType", w."triggerConfig", w."entry", w."allowReentry", w."triggersSince", w."triggersAfter",
    w."version", p."disabled" OR p."deletedAt" IS NOT NULL AS "projectStopped",
    (SELECT t."id" FROM "WorkflowStep" t WHERE t."workflowId" = w."id" AND t."type" = 'TRIGGER') AS "triggerStepId"
  FROM "Workflow" w CROSS JOIN LATERAL (SELECT * FROM "Project" WHERE "id" = ${projectId}::uuid OFFSET 0) p
  WHERE w."id" = ANY(ARRAY(
    SELECT i."sourceId" FROM "EventInterest" i WHERE i."projectId" = ${projectId}::uuid AND i."name" = ANY(${[...names]}::text[])))
    AND ${ofProject('w."projectId"', projectId)}
  ORDER BY w."id" FOR KEY SHARE OF w`;

/**
 * Starts executions by the first of these events of each contact that the trigger takes (behaviour B3.4). The row of the entry decides between concurrent
 * ones, at any size of the workflow.
 *
 * @param matchesNobody the filter of the workflow takes too long: it counts as one that nobody matches
 * @returns the number of executions
 */
export async function enterByEvents(
  db: SqlDb,
  projectId: string,
  workflow: Pick<
    InterestedWorkflow,
    'id' | 'triggerConfig' | 'entry' | 'allowReentry' | 'triggerStepId' | 'version'
  >,
  eventIds: readonly string[],
  { matchesNobody = false } = {},
): Promise<number> {
  const entry = entryOf(workflow.entry);
  const gate = { ...workflow, ...entry, projectId, workflowId: workflow.id };
  const { joins, matches } = await takenEvents(db, projectId, workflow.triggerConfig);
  const rows = Prisma.sql`
      SELECT DISTINCT ON (e."contactId") e."contactId", e."id" AS "eventId", now() AS "at", uuid7() AS "id", e."createdAt" AS "anchorAt",
        CASE WHEN jsonb_typeof(e."data") = 'object' THEN e."data" ELSE '{}' END AS "context", NULL::date AS "day", ${workflow.version}::int AS "version"
      FROM unnest(${[...eventIds]}::uuid[]) AS k("id")
      CROSS JOIN LATERAL (
        SELECT "id", "data", "contactId", "createdAt" FROM "Event" WHERE "id" = k."id" AND ${ofProject('"projectId"', projectId)} OFFSET 0) e
      CROSS JOIN LATERAL (SELECT FROM "Contact" WHERE "id" = e."contactId" AND ${ofProject('"projectId"', projectId)} OFFSET 0) c${joins}
      WHERE ${matches}
      ORDER BY e."contactId", e."createdAt", e."id"`;
  const wanted = matchesNobody
    ? Prisma.sql`"wanted" AS MATERIALIZED (SELECT x.*, false AS "matches" FROM (${rows}) x)`
    : await wantedEntries(db, projectId, entry, rows);
  const [row] = await db.$queryRaw<{ started: number }[]>`
    WITH ${wanted}, ${entered(gate)}, ${countedBlocked(gate)}
    SELECT count(*)::int AS "started" FROM "started"`;
  return row?.started ?? 0;
}

/** Which events `e` the trigger takes. */
export async function takenEvents(
  db: SqlDb,
  projectId: string,
  config: TriggerConfig,
): Promise<{ joins: Prisma.Sql; matches: Prisma.Sql }> {
  const where = whereOf(config);
  if (where.length === 0) return { joins: Prisma.empty, matches: Prisma.sql`true` };
  const clock = { now: new Date(), timeZone: await timeZoneOfProject(db, projectId) };
  const { joins, conditions } = eventWhereSql(where, clock);
  return { joins, matches: Prisma.sql`true${conditions}` };
}

/** Limits each further statement of the transaction; null: as the connection does. */
export async function limitStatements(db: SqlDb, ms: number | null): Promise<void> {
  if (ms === null) await db.$executeRaw`SET LOCAL statement_timeout TO DEFAULT`;
  else await db.$queryRaw`SELECT set_config('statement_timeout', ${String(ms)}, true)`;
}

/** An event that may wake an execution. */
export interface WakingEvent {
  contactId: string;
  name: string;
  createdAt: Date;
  storedAt: Date;
  seq: number;
}

/**
 * Makes the executions of these contacts due that stand at a step that, by the version that they run, waits for such an event. They are locked first: one that a set holds is read
 * as the set leaves it, so that no event is missed between the search of a step and its row. Whether an event ends the wait, the next set
 * decides.
 *
 * If the clock was set back since a step has begun to wait, what was stored since then has times before its anchor: the anchor goes back with it.
 *
 * @returns the number of executions
 */
export const wakeExecutions = (
  db: SqlDb,
  projectId: string,
  workflowId: string,
  events: readonly WakingEvent[],
): Promise<number> => db.$executeRaw`
  WITH "event" AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      AS e("contactId" uuid, "name" text, "createdAt" timestamptz, "storedAt" timestamptz, "seq" bigint)
  ), "held" AS MATERIALIZED (
    SELECT x.* FROM (SELECT DISTINCT "contactId" FROM "event" ORDER BY 1) c
    CROSS JOIN LATERAL (
      SELECT x."id", x."contactId", x."status", x."currentStepId", x."version" FROM "WorkflowExecution" x
      WHERE x."contactId" = c."contactId" AND x."status" IN ('RUNNING', 'WAITING') AND x."workflowId" IS NOT DISTINCT FROM ${workflowId}::uuid
        AND ${ofProject('x."projectId"', projectId)}
      FOR UPDATE) x
  ), "awaited" AS MATERIALIZED (
    SELECT h."version", h."currentStepId", n."name"
    FROM (SELECT DISTINCT "version", "currentStepId" FROM "held" WHERE "status" = 'WAITING') h
    CROSS JOIN LATERAL (
      SELECT n."name" FROM "WorkflowStep" s ${awaitedBySteps}
      WHERE h."version" IS NULL AND s."id" = h."currentStepId" AND s."type" = 'WAIT_FOR_EVENT'
      UNION ALL
      SELECT jsonb_array_elements_text(v."steps" -> h."currentStepId"::text -> 'waits') FROM "WorkflowVersion" v
      WHERE v."workflowId" = ${workflowId}::uuid AND v."version" = version_run(${workflowId}::uuid, h."version") OFFSET 0) n
  ), "woken" AS MATERIALIZED (
    SELECT h."id", min(back."createdAt") AS "backTo" FROM "held" h
    JOIN "awaited" a ON a."currentStepId" = h."currentStepId" AND a."version" IS NOT DISTINCT FROM h."version"
    JOIN "event" e ON e."contactId" = h."contactId" AND e."name" = a."name"
    LEFT JOIN LATERAL (
      SELECT e."createdAt" FROM "WorkflowStepExecution" s WHERE s."executionId" = h."id" AND s."stepId" = h."currentStepId" AND s."status" = 'WAITING'
        AND s."startedAt" > e."storedAt" AND s."eventsAfter" < e."seq") back ON true
    WHERE h."status" = 'WAITING' GROUP BY h."id"
  )
  UPDATE "WorkflowExecution" x SET "dueAt" = now(), "wakeSeq" = x."wakeSeq" + 1, "updatedAt" = now(),
    "anchorEventId" = CASE WHEN w."backTo" < x."anchorAt" THEN NULL ELSE x."anchorEventId" END, "anchorAt" = least(x."anchorAt", w."backTo")
  FROM "woken" w WHERE ${byKey('x."id"', 'w."id"')}`;

/** Contacts that these events may move into or out of tracked segments, because a segment's condition reads the event. */
export async function contactsForSegments(
  db: SqlDb,
  projectId: string,
  events: readonly { contactId: string; name: string }[],
): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT DISTINCT i."name" FROM "EventInterest" i
    CROSS JOIN LATERAL (SELECT FROM "Segment" WHERE "id" = i."sourceId" AND ${ofProject('"projectId"', projectId)} AND "trackMembership" OFFSET 0) s
    WHERE i."projectId" = ${projectId}::uuid AND i."name" = ANY(${[...new Set(events.map(({ name }) => name))]}::text[])`;
  const names = new Set(rows.map(({ name }) => name));
  return [...new Set(events.flatMap(({ name, contactId }) => (names.has(name) ? [contactId] : [])))];
}
