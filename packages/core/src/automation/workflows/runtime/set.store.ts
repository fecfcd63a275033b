import { type ContactConsent, contactConsent } from '../../../audience/consent/index.ts';
import { lastEvent } from '../../../audience/events/index.ts';
import {
  byKey,
  constant,
  type ExecutionStatus,
  ofProject,
  Prisma,
  type SqlDb,
  type StepStatus,
} from '../../../base/db/index.ts';
import type { CancelReason } from '../exit-reasons.rules.ts';
import { keepGraph } from '../graph-lock.store.ts';
import { shardOf } from './due.store.ts';
import { tellExecutions, tellFailures, toldColumns } from './execution-events.ts';
import type { EndedBy } from './find-ends.ts';
import { beganAt } from './measures.store.ts';
import type { SetProject } from './member.ts';

type Json = Record<string, unknown>;

/** Prevents edits of the graph until the transaction ends: no execution is left at a step that is deleted. */
export const holdGraph = (db: SqlDb, workflowId: string): Promise<unknown> =>
  db.$queryRaw`SELECT ${keepGraph(workflowId)} AS "kept"`;

/** The project and the workflow of a set. */
export interface Setting {
  project: SetProject;
  /** null once it is deleted */
  workflowName: string | null;
  /** executions that started before take no step */
  cancelledAt: Date | null;
}

/** @returns null when the project is gone */
export async function readSetting(db: SqlDb, projectId: string, workflowId: string): Promise<Setting | null> {
  const [row] = await db.$queryRaw<(SetProject & Omit<Setting, 'project'>)[]>`
    SELECT p."id", p."name", p."language", p."timezone" AS "timeZone", p."tracking"::text AS "tracking", p."utm",
      p."disabled" OR p."deletedAt" IS NOT NULL AS "stopped", w."name" AS "workflowName", w."cancelledAt"
    FROM "Project" p LEFT JOIN "Workflow" w ON w."id" = ${workflowId}::uuid AND w."projectId" = p."id" WHERE p."id" = ${projectId}::uuid`;
  if (!row) return null;
  const { workflowName, cancelledAt, ...project } = row;
  return { project, workflowName, cancelledAt };
}

/** An execution that a set has claimed. */
export interface ClaimedRow {
  id: string;
  contactId: string;
  status: ExecutionStatus;
  currentStepId: string | null;
  context: Json;
  /** that it began with; null: it runs the rows of the steps */
  version: number | null;
  startedAt: Date;
  /** after a failure */
  retriedAt: Date | null;
  anchorAt: Date;
  anchorEventId: string | null;
  /** since when events of goals and exit rules count */
  beganAt: Date;
  sourceEventId: string | null;
  /** null: held by another transaction, or deleted */
  email: string | null;
  subscribed: boolean;
  topicsOn: number[];
  topicsOff: number[];
  topicDefaults: boolean;
  contactStatus: ContactConsent['status'];
  consentBasis: ContactConsent['consentBasis'];
  consentedAt: Date | null;
  data: Json;
  contactCreatedAt: Date;
  contactUpdatedAt: Date;
  /** the steps that it has reached, by their ids */
  steps: Record<string, ClaimedStep> | null;
  now: Date;
  /** for how long it had been due; negative for one that was not */
  lateMs: number;
}

export interface ClaimedStep {
  id: string;
  status: StepStatus;
  scheduledFor: string | null;
  error: string | null;
  branch: string | null;
  waitOutcome: string | null;
  /** what a DELAY has recorded until its time comes */
  parked: Json | null;
}

export interface Claim {
  projectId: string;
  workflowId: string;
  limit: number;
  /** these, whenever they are due; without it those that are, and were never lost */
  ids?: readonly string[] | undefined;
  /** instead of the clock of the database */
  now?: Date | undefined;
}

/** Contexts and contacts of a set, in bytes. */
export const mostBytes = 8 * 1_024 * 1_024;

/** The length of a value whose compression its header does not tell. */
export const bytesOf = (value: string): Prisma.Sql =>
  constant(
    `CASE WHEN pg_column_compression(${value}) IS NULL THEN pg_column_size(${value}) ELSE octet_length(${value}::text) END`,
  );

/**
 * Locks due executions of a workflow, oldest first, with their contacts, which cannot be deleted before the transaction ends. What others hold
 * is left to them. Those that exceed the memory of a set stay due.
 */
export const claim = (
  db: SqlDb,
  { projectId, workflowId, limit, ids, now }: Claim,
): Promise<ClaimedRow[]> => db.$queryRaw<ClaimedRow[]>`
  WITH "due" AS MATERIALIZED (
    SELECT x."id", x."contactId", x."status", x."currentStepId", x."context", x."version", x."startedAt", x."retriedAt", x."anchorAt", x."anchorEventId",
      ${beganAt('x')} AS "beganAt", x."sourceEventId", x."dueAt"
    FROM "WorkflowExecution" x
    WHERE ${
      ids
        ? Prisma.sql`x."id" = ANY(${[...ids]}::uuid[]) AND x."dueAt" IS NOT NULL AND ${ofProject('x."projectId"', projectId)}
            AND x."workflowId" IS NOT DISTINCT FROM ${workflowId}::uuid`
        : Prisma.sql`${shardOf(constant('x."projectId"'))} = ${shardOf(Prisma.sql`${projectId}::uuid`)} AND x."projectId" = ${projectId}::uuid
            AND x."workflowId" = ${workflowId}::uuid AND x."lostTurns" = 0
            AND x."dueAt" <= coalesce(${now ?? null}::timestamptz, statement_timestamp())`
    }
    ORDER BY x."dueAt", x."id" LIMIT ${limit} FOR UPDATE SKIP LOCKED
  ), "claimed" AS MATERIALIZED (
    SELECT x.*, c."email", c."subscribed", c."topicsOn", c."topicsOff", c."topicDefaults", c."status" AS "contactStatus", c."consentBasis", c."consentedAt", c."data", c."createdAt" AS "contactCreatedAt", c."updatedAt" AS "contactUpdatedAt",
      ${bytesOf('x."context"')} + coalesce(${bytesOf('c."data"')}, 0) AS "bytes"
    FROM "due" x LEFT JOIN LATERAL (
      SELECT c."email", c."subscribed", c."topicsOn", c."topicsOff", c."topicDefaults", ${contactConsent}, c."data", c."createdAt", c."updatedAt" FROM "Contact" c
      WHERE c."id" = x."contactId" AND ${ofProject('c."projectId"', projectId)} FOR KEY SHARE SKIP LOCKED) c ON true
  ), "fitting" AS MATERIALIZED (
    SELECT * FROM (SELECT x.*, row_number() OVER w AS "place", sum("bytes") OVER w AS "sum" FROM "claimed" x
      WINDOW w AS (ORDER BY x."dueAt", x."id" ROWS UNBOUNDED PRECEDING)) x
    WHERE "place" = 1 OR "sum" <= ${mostBytes}::int
  )
  SELECT x."id", x."contactId", x."status"::text AS "status", x."currentStepId", x."context", x."version", x."startedAt", x."retriedAt", x."anchorAt",
    x."anchorEventId", x."beganAt", x."sourceEventId", x."email", x."subscribed", x."topicsOn", x."topicsOff", x."topicDefaults",
    x."contactStatus", x."consentBasis", x."consentedAt", x."data", x."contactCreatedAt", x."contactUpdatedAt", s."steps",
    coalesce(${now ?? null}::timestamptz, statement_timestamp()) AS "now",
    extract(epoch FROM statement_timestamp() - x."dueAt")::float8 * 1000 AS "lateMs"
  FROM "fitting" x CROSS JOIN LATERAL (
    SELECT jsonb_object_agg(s."stepId", jsonb_build_object('id', s."id", 'status', s."status", 'scheduledFor', s."scheduledFor", 'error', s."error",
      'branch', s."output" ->> 'branch', 'waitOutcome', s."output" ->> 'waitOutcome',
      'parked', CASE WHEN s."status" = 'SCHEDULED' THEN s."output" END)) AS "steps"
    FROM "WorkflowStepExecution" s WHERE s."executionId" = x."id") s
  ORDER BY x."place"`;

/** Which of these contacts exist, those that another transaction is erasing included. */
export async function existing(
  db: SqlDb,
  projectId: string,
  contactIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT c."id" FROM unnest(${[...contactIds]}::uuid[]) AS k("id")
    CROSS JOIN LATERAL (SELECT "id" FROM "Contact" WHERE "id" = k."id" AND ${ofProject('"projectId"', projectId)} OFFSET 0) c`;
  return new Set(rows.map(({ id }) => id));
}

/** The row of a step. */
export interface StepRecord {
  id: string;
  executionId: string;
  stepId: string;
  status: StepStatus;
  scheduledFor: Date | null;
  /** null: unchanged */
  output: Json | null;
  error: string | null;
  /** the event that ended a wait */
  eventId: string | null;
  /** by whose definition it was decided */
  version: number | null;
}

/** The new state of an execution. */
export interface Progress {
  id: string;
  status: ExecutionStatus;
  currentStepId: string | null;
  dueAt: Date | null;
  exitReason: string | null;
  /** of one that failed */
  failedStepKey?: string | null;
  /** merged into the context */
  context: Json;
  anchorAt: Date;
  anchorEventId: string | null;
  /** the goal or exit rule that ended it */
  endedBy?: EndedBy;
  /** of a SPLIT with a holdout that it has passed */
  heldOut?: boolean;
  drawnShare?: number;
}

/** The request that a WEBHOOK step waits for. */
export interface NewStepRequest {
  stepExecutionId: string;
  executionId: string;
  host: string;
  request: { url: string; method: string; headers: Record<string, string>; body: string | null };
}

export interface SetWrite {
  projectId: string;
  now: Date;
  records: readonly StepRecord[];
  progress: readonly Progress[];
  requests: readonly NewStepRequest[];
}

const hasEnded = constant(`"status" NOT IN ('RUNNING', 'WAITING')`);

/**
 * For how long a worker of the version before, should it be started again, leaves a request to the process that makes it: it reads `resumeAt`,
 * `wakeSeq` and `seenSeq`, which the next version no longer has.
 */
const formerPatience = constant(`interval '10 minutes'`);

/**
 * Writes what a set has done, in one statement: rows of steps, executions, requests, and the events of executions that have ended. The
 * trigger `Execution_changed` frees the entries of those.
 */
export async function writeSet(
  db: SqlDb,
  { projectId, now, records, progress, requests }: SetWrite,
): Promise<void> {
  await db.$executeRaw`
    WITH "records" AS (
      INSERT INTO "WorkflowStepExecution" ("id", "projectId", "executionId", "stepId", "status", "scheduledFor", "output", "error", "eventId",
        "version", "startedAt", "completedAt", "eventsAfter")
      SELECT r."id", ${projectId}::uuid, r."executionId", r."stepId", r."status", r."scheduledFor", r."output", r."error", r."eventId", r."version", ${now}::timestamptz,
        CASE WHEN r."status" IN ('COMPLETED', 'FAILED') THEN ${now}::timestamptz END, CASE WHEN r."status" = 'WAITING' THEN ${lastEvent} END
      FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS r("id" uuid, "executionId" uuid, "stepId" uuid, "status" "StepStatus",
        "scheduledFor" timestamptz, "output" jsonb, "error" text, "eventId" uuid, "version" int)
      ON CONFLICT ("executionId", "stepId") DO UPDATE SET "status" = excluded."status",
        "scheduledFor" = CASE WHEN excluded."completedAt" IS NULL THEN excluded."scheduledFor" ELSE "WorkflowStepExecution"."scheduledFor" END,
        "output" = coalesce(excluded."output", "WorkflowStepExecution"."output"), "error" = excluded."error",
        "eventId" = coalesce(excluded."eventId", "WorkflowStepExecution"."eventId"), "completedAt" = excluded."completedAt",
        "version" = excluded."version", "eventsAfter" = coalesce("WorkflowStepExecution"."eventsAfter", excluded."eventsAfter"), "updatedAt" = now()
    ), "requests" AS (
      INSERT INTO "StepRequest" ("stepExecutionId", "executionId", "projectId", "host", "request", "dueAt")
      SELECT r."stepExecutionId", r."executionId", ${projectId}::uuid, r."host", r."request", ${now}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(requests)}::jsonb) AS r("stepExecutionId" uuid, "executionId" uuid, "host" text, "request" jsonb)
      ON CONFLICT DO NOTHING
    ), "moved" AS (
      UPDATE "WorkflowExecution" x SET "status" = d."status", "currentStepId" = d."currentStepId", "dueAt" = d."dueAt", "exitReason" = d."exitReason", "failedStepKey" = d."failedStepKey",
        "context" = CASE WHEN d."context" = '{}' THEN x."context" ELSE x."context" || d."context" END,
        "anchorAt" = d."anchorAt", "anchorEventId" = d."anchorEventId", "lostTurns" = 0, "endedBy" = coalesce(d."endedBy", x."endedBy"),
        "heldOut" = x."heldOut" OR coalesce(d."heldOut", false), "drawnShare" = coalesce(x."drawnShare", d."drawnShare"),
        "completedAt" = CASE WHEN d.${hasEnded} THEN ${now}::timestamptz END, "updatedAt" = now(),
        "resumeAt" = CASE WHEN d."status" = 'RUNNING' AND d."dueAt" IS NULL THEN now() + ${formerPatience} ELSE d."dueAt" END,
        "seenSeq" = CASE WHEN d."status" = 'RUNNING' AND d."dueAt" IS NOT NULL THEN x."seenSeq" ELSE x."wakeSeq" END
      FROM jsonb_to_recordset(${JSON.stringify(progress)}::jsonb) AS d("id" uuid, "status" "ExecutionStatus", "currentStepId" uuid,
        "dueAt" timestamptz, "exitReason" text, "failedStepKey" text, "context" jsonb, "anchorAt" timestamptz, "anchorEventId" uuid, "endedBy" jsonb,
        "heldOut" boolean, "drawnShare" float8)
      WHERE ${byKey('x."id"', 'd."id"')}
      RETURNING x."id", x."projectId", x."workflowId", x."contactId", x."status", x."exitReason", x."endedBy", x."failedStepKey", x."retries"
    ), "ended" AS (SELECT * FROM "moved" WHERE ${hasEnded}), "failures" AS (${tellFailures(`(SELECT * FROM "moved" WHERE "status" = 'FAILED')`)})
    ${tellExecutions('workflow.completed', '"ended"')}`;
}

/** Ends executions that take no further step. */
export async function endExecutions(
  db: SqlDb,
  ids: readonly string[],
  exitReason: CancelReason,
): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    WITH "ended" AS (
      UPDATE "WorkflowExecution" SET "status" = 'CANCELLED', "exitReason" = ${exitReason}, "dueAt" = NULL, "resumeAt" = NULL,
        "completedAt" = now(), "seenSeq" = "wakeSeq", "updatedAt" = now()
      WHERE "id" = ANY(${[...ids]}::uuid[]) AND "status" IN ('RUNNING', 'WAITING')
      RETURNING ${toldColumns}
    ), "skipped" AS (${skipOpenSteps}), "withdrawn" AS (${withdrawRequests}
    ) ${tellExecutions('workflow.completed', '"ended"')}`;
}

/** Parts of a statement by which the executions of its CTE `ended` leave their steps. */
export const skipOpenSteps = Prisma.sql`
  UPDATE "WorkflowStepExecution" s SET "status" = 'SKIPPED', "completedAt" = now(), "updatedAt" = now()
  FROM "ended" e WHERE ${byKey('s."executionId"', 'e."id"')} AND s."status" IN ('PENDING', 'SCHEDULED', 'WAITING', 'RUNNING')`;
export const withdrawRequests = Prisma.sql`
  DELETE FROM "StepRequest" r WHERE r."executionId" = ANY(ARRAY(SELECT "id" FROM "ended"))`;

/** Executions leave their open steps, before the set writes that they have ended. */
export async function leaveSteps(db: SqlDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    WITH "ended" AS (SELECT k."id" FROM unnest(${[...ids]}::uuid[]) AS k("id")), "skipped" AS (${skipOpenSteps}) ${withdrawRequests}`;
}

/** For executions that ended elsewhere: they are due no more. */
export async function forgetEnded(db: SqlDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "dueAt" = NULL, "resumeAt" = NULL, "seenSeq" = "wakeSeq" WHERE "id" = ANY(${[...ids]}::uuid[])`;
}

/** Leaves executions as they are, until another set takes them. */
export async function postpone(db: SqlDb, ids: readonly string[], dueAt: Date): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "dueAt" = ${dueAt} WHERE "id" = ANY(${[...ids]}::uuid[])`;
}

/** Deletes the executions of deleted contacts and workflows. */
export async function removeExecutions(db: SqlDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.$executeRaw`DELETE FROM "StepRequest" WHERE "executionId" = ANY(${[...ids]}::uuid[])`;
  await db.$executeRaw`DELETE FROM "WorkflowStepExecution" WHERE "executionId" = ANY(${[...ids]}::uuid[])`;
  await db.$executeRaw`DELETE FROM "ExecutionConversion" WHERE "executionId" = ANY(${[...ids]}::uuid[])`;
  await db.$executeRaw`DELETE FROM "WorkflowExecution" WHERE "id" = ANY(${[...ids]}::uuid[])`;
}
