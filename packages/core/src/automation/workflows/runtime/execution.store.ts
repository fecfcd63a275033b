import { lastEvent } from '../../../audience/events/index.ts';
import {
  type ExecutionStatus,
  findNeglectedRows,
  type NeglectedRow,
  Prisma,
  type SqlDb,
  type StepStatus,
  type StepType,
} from '../../../base/db/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { type Lineage, readDefinition } from '../definitions/read-definitions.store.ts';
import type { CancelReason } from '../exit-reasons.rules.ts';
import { keepGraph } from '../graph-lock.store.ts';
import { type Place, placeAfter } from '../versions/move.rules.ts';
import { tellExecutions, toldColumns } from './execution-events.ts';
import type { Transition } from './transitions.rules.ts';

type Json = Record<string, unknown>;

export interface LockedExecution {
  id: string;
  projectId: string;
  workflowId: string;
  contactId: string;
  status: ExecutionStatus;
  currentStepId: string | null;
  context: Json;
  /** that it began with; null: it runs the rows of the steps */
  version: number | null;
}

export interface StepExecutionRow {
  id: string;
  status: StepStatus;
  scheduledFor: Date | null;
  output: Json | null;
  error: string | null;
  startedAt: Date | null;
}

export interface StepNode {
  id: string;
  type: StepType;
  name: string;
  config: Json;
  templateId: string | null;
}

export interface WorkflowGraph {
  steps: StepNode[];
  /** the transitions of each step, in the order of their evaluation */
  transitions: (Transition & { fromStepId: string })[];
}

/** Everything that the next steps of an execution need, as one snapshot. */
export interface ExecutionState extends LockedExecution {
  startedAt: Date;
  sourceEventId: string | null;
  projectName: string;
  language: string;
  timeZone: string;
  tracking: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY';
  projectStopped: boolean;
  webhookSecretCipher: string | null;
  workflowName: string | null;
  contact: {
    id: string;
    email: string;
    subscribed: boolean;
    data: Json;
    createdAt: string;
    updatedAt: string;
  } | null;
  step: StepNode | null;
  stepExecution: StepExecutionRow | null;
  graph: WorkflowGraph;
  /** the definition that it runs; null for the rows of the steps */
  runsBy: number | null;
  /** what its moves have made of its step */
  place: Place;
  /** steps that already have a row */
  takenSteps: string[];
}

interface ExecutionStateRow
  extends Omit<ExecutionState, 'contact' | 'step' | 'stepExecution' | 'graph' | 'place' | 'runsBy'> {
  contactEmail: string | null;
  subscribed: boolean;
  contactData: Json;
  contactCreatedAt: Date;
  contactUpdatedAt: Date;
  stepExecutionId: string | null;
  stepStatus: StepStatus;
  scheduledFor: Date | null;
  output: Json | null;
  error: string | null;
  stepStartedAt: Date | null;
}

/** Loads an execution by id. A new one (no current step) starts at its TRIGGER step. */
export async function readExecutionState(db: SqlDb, executionId: string): Promise<ExecutionState | null> {
  const [row] = await db.$queryRaw<ExecutionStateRow[]>`
    SELECT x."id", x."projectId", x."workflowId", x."contactId", x."status"::text AS "status", x."currentStepId", x."context",
      x."version", x."startedAt", x."sourceEventId",
      p."name" AS "projectName", p."language", p."timezone" AS "timeZone", p."tracking"::text AS "tracking", p."disabled" OR p."deletedAt" IS NOT NULL AS "projectStopped",
      p."webhookSecretCipher", w."name" AS "workflowName",
      c."email" AS "contactEmail", c."subscribed", c."data" AS "contactData", c."createdAt" AS "contactCreatedAt",
      c."updatedAt" AS "contactUpdatedAt",
      s."id" AS "stepExecutionId", s."status"::text AS "stepStatus", s."scheduledFor", s."output", s."error", s."startedAt" AS "stepStartedAt",
      ARRAY(SELECT g."stepId"::text FROM "WorkflowStepExecution" g WHERE g."executionId" = x."id") AS "takenSteps"
    FROM "WorkflowExecution" x
    JOIN "Project" p ON p."id" = x."projectId"
    LEFT JOIN "Workflow" w ON w."id" = x."workflowId" AND w."projectId" = x."projectId"
    LEFT JOIN "Contact" c ON c."id" = x."contactId" AND c."projectId" = x."projectId"
    LEFT JOIN "WorkflowStepExecution" s ON s."executionId" = x."id" AND s."stepId" = coalesce(x."currentStepId",
      (SELECT t."id" FROM "WorkflowStep" t WHERE t."workflowId" = x."workflowId" AND t."type" = 'TRIGGER'))
    WHERE x."id" = ${executionId}::uuid`;
  return row ? toExecutionState(row, await readDefinition(db, row)) : null;
}

function toExecutionState(row: ExecutionStateRow, lineage: Lineage | undefined): ExecutionState {
  const { contactEmail, subscribed, contactData, contactCreatedAt, contactUpdatedAt, ...rest } = row;
  const { steps, transitions } = lineage?.runs ?? { steps: [], transitions: [] };
  const { currentStepId: at } = row;
  return {
    ...rest,
    graph: { steps, transitions },
    runsBy: lineage?.runs.version ?? null,
    place: at === null || !lineage ? { kind: 'stays' } : placeAfter(at, lineage.versions),
    contact:
      contactEmail === null
        ? null
        : {
            id: row.contactId,
            email: contactEmail,
            subscribed,
            data: contactData,
            createdAt: contactCreatedAt.toISOString(),
            updatedAt: contactUpdatedAt.toISOString(),
          },
    step: steps.find((step) => (at === null ? step.type === 'TRIGGER' : step.id === at)) ?? null,
    stepExecution:
      row.stepExecutionId === null
        ? null
        : {
            id: row.stepExecutionId,
            status: row.stepStatus,
            scheduledFor: row.scheduledFor,
            output: row.output,
            error: row.error,
            startedAt: row.stepStartedAt,
          },
  };
}

/**
 * Locks the row until the transaction ends, which serialises ticks, cancellations and ends of waits. The graph is
 * locked too, so that the step to which the execution is going is not deleted.
 */
export async function lockExecution(
  db: SqlDb,
  { id, workflowId }: Pick<LockedExecution, 'id' | 'workflowId'>,
): Promise<LockedExecution | null> {
  const [row] = await db.$queryRaw<LockedExecution[]>`
    WITH graph AS MATERIALIZED (SELECT ${keepGraph(workflowId)} AS "kept")
    SELECT x."id", x."projectId", x."workflowId", x."contactId", x."status"::text AS "status", x."currentStepId", x."context", x."version"
    FROM graph CROSS JOIN "WorkflowExecution" x WHERE x."id" = ${id}::uuid AND graph."kept" IS NOT NULL FOR UPDATE OF x`;
  return row ?? null;
}

/** The same by id alone, before the state of the execution is read. @returns false when it was deleted */
export async function lockById(db: SqlDb, id: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    WITH graph AS MATERIALIZED (
      SELECT ${keepGraph(Prisma.sql`x."workflowId"`)} AS "kept" FROM "WorkflowExecution" x WHERE x."id" = ${id}::uuid)
    SELECT 1 AS one FROM graph CROSS JOIN "WorkflowExecution" x WHERE x."id" = ${id}::uuid AND graph."kept" IS NOT NULL FOR UPDATE OF x`;
  return rows.length > 0;
}

/** The row of a step, created at its first tick. Its time is the database's, since it is compared with the times of events. */
export async function beginStep(
  db: SqlDb,
  execution: LockedExecution,
  stepId: string,
): Promise<StepExecutionRow> {
  await db.$executeRaw`
    INSERT INTO "WorkflowStepExecution" ("id", "projectId", "executionId", "stepId", "status", "startedAt")
    VALUES (${newId()}::uuid, ${execution.projectId}::uuid, ${execution.id}::uuid, ${stepId}::uuid, 'RUNNING', clock_timestamp())
    ON CONFLICT DO NOTHING`;
  const [row] = await db.$queryRaw<StepExecutionRow[]>`
    SELECT "id", "status"::text AS "status", "scheduledFor", "output", "error", "startedAt" FROM "WorkflowStepExecution"
    WHERE "executionId" = ${execution.id}::uuid AND "stepId" = ${stepId}::uuid`;
  if (!row) throw new Error('a step that has begun has no row');
  return row;
}

/** Stores the number of attempts of a step that calls another service. */
export async function countAttempt(db: SqlDb, stepExecutionId: string, attempts: number): Promise<void> {
  await db.$executeRaw`
    UPDATE "WorkflowStepExecution" SET "output" = coalesce("output", '{}') || jsonb_build_object('attempts', ${attempts}::int), "updatedAt" = now()
    WHERE "id" = ${stepExecutionId}::uuid`;
}

/** The result of a step for its row. */
export interface StepRecord {
  id: string;
  stepId: string;
  status: StepStatus;
  scheduledFor: Date | null;
  /** null: unchanged */
  output: Json | null;
  error: string | null;
  /** the event that ended a wait */
  eventId: string | null;
}

/** The new state of an execution. */
export interface Progress {
  status: ExecutionStatus;
  currentStepId: string | null;
  /** when it continues without a signal; null: immediately, or only after a signal */
  resumeAt: Date | null;
  exitReason: string | null;
  /** merged into the context */
  context: Json;
  /**
   * Nothing is left to do now. A running execution counts as not seen, so that `reconcile` finds it when its worker
   * is lost.
   */
  seen: boolean;
}

/**
 * Writes the results of the steps of one transaction, and the execution's new state, in one statement. Times are the
 * database's, since they are compared with the times of events.
 */
export async function writeProgress(
  db: SqlDb,
  execution: LockedExecution,
  records: readonly StepRecord[],
  progress: Progress,
  runsBy: number | null = null,
): Promise<void> {
  const { status, currentStepId, resumeAt, exitReason, context, seen } = progress;
  const hasEnded = status !== 'RUNNING' && status !== 'WAITING';
  await db.$executeRaw`
    WITH "records" AS (
      INSERT INTO "WorkflowStepExecution" ("id", "projectId", "executionId", "stepId", "status", "scheduledFor", "output", "error", "eventId",
        "version", "startedAt", "completedAt", "eventsAfter")
      SELECT r."id", ${execution.projectId}::uuid, ${execution.id}::uuid, r."stepId", r."status"::"StepStatus", r."scheduledFor", r."output",
        r."error", r."eventId", ${runsBy}::int, clock_timestamp(), CASE WHEN r."status" IN ('COMPLETED', 'FAILED') THEN clock_timestamp() END,
        CASE WHEN r."status" = 'WAITING' THEN ${lastEvent} END
      FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS r("id" uuid, "stepId" uuid, "status" text, "scheduledFor" timestamptz,
        "output" jsonb, "error" text, "eventId" uuid)
      ON CONFLICT ("executionId", "stepId") DO UPDATE SET "status" = excluded."status",
        "scheduledFor" = CASE WHEN excluded."completedAt" IS NULL THEN excluded."scheduledFor" ELSE "WorkflowStepExecution"."scheduledFor" END,
        "output" = coalesce(excluded."output", "WorkflowStepExecution"."output"), "error" = excluded."error",
        "eventId" = coalesce(excluded."eventId", "WorkflowStepExecution"."eventId"), "completedAt" = excluded."completedAt",
        "version" = excluded."version",
        "eventsAfter" = coalesce("WorkflowStepExecution"."eventsAfter", excluded."eventsAfter"), "updatedAt" = now()
    ), "moved" AS (
    UPDATE "WorkflowExecution" SET "status" = ${status}::"ExecutionStatus", "currentStepId" = ${currentStepId}::uuid, "resumeAt" = ${resumeAt},
      "exitReason" = ${exitReason}, "context" = "context" || ${JSON.stringify(context)}::jsonb,
      "completedAt" = CASE WHEN ${hasEnded} THEN clock_timestamp() END,
      "wakeSeq" = CASE WHEN ${seen} THEN "wakeSeq" ELSE greatest("wakeSeq", "seenSeq" + 1) END,
      "seenSeq" = CASE WHEN ${seen} THEN "wakeSeq" ELSE "seenSeq" END, "updatedAt" = now()
    WHERE "id" = ${execution.id}::uuid
    RETURNING ${toldColumns}
    ) ${hasEnded ? tellExecutions('workflow.completed', '"moved"') : Prisma.sql`SELECT FROM "moved"`}`;
}

export type Ending =
  | { status: 'FAILED'; exitReason: string }
  | { status: 'CANCELLED'; exitReason: CancelReason };

/** Ends an execution that takes no further step. */
export async function endExecution(db: SqlDb, id: string, { status, exitReason }: Ending): Promise<void> {
  await db.$executeRaw`
    WITH "ended" AS (
      UPDATE "WorkflowExecution" SET "status" = ${status}::"ExecutionStatus", "exitReason" = ${exitReason}, "resumeAt" = NULL,
        "completedAt" = now(), "seenSeq" = "wakeSeq", "updatedAt" = now()
      WHERE "id" = ${id}::uuid AND "status" IN ('RUNNING', 'WAITING')
      RETURNING ${toldColumns}
    ) ${tellExecutions('workflow.completed', '"ended"')}`;
  if (status !== 'CANCELLED') return;
  await db.$executeRaw`
    UPDATE "WorkflowStepExecution" SET "status" = 'SKIPPED', "completedAt" = now(), "updatedAt" = now()
    WHERE "executionId" = ${id}::uuid AND "status" IN ('PENDING', 'SCHEDULED', 'WAITING', 'RUNNING')`;
}

export interface Parking {
  stepStatus: 'SCHEDULED' | 'WAITING' | 'RUNNING';
  status: 'WAITING' | 'RUNNING';
  /** when it continues without a signal; null: only after a signal */
  until: Date | null;
  output?: Json;
}

/** For an execution that ended elsewhere: nothing is left to do. */
export async function markEndSeen(db: SqlDb, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "seenSeq" = "wakeSeq", "resumeAt" = NULL
    WHERE "id" = ${id}::uuid AND "status" NOT IN ('RUNNING', 'WAITING') AND ("wakeSeq" > "seenSeq" OR "resumeAt" IS NOT NULL)`;
}

/** Deletes the execution of a deleted contact. */
export async function removeExecution(db: SqlDb, id: string): Promise<void> {
  await db.$executeRaw`DELETE FROM "WorkflowStepExecution" WHERE "executionId" = ${id}::uuid`;
  await db.$executeRaw`DELETE FROM "WorkflowExecution" WHERE "id" = ${id}::uuid`;
}

export interface AcceptedEvent {
  id: string;
  data: Json | null;
  createdAt: Date;
}

/** The first event of a name that was stored for the contact after the step began. */
export async function findAwaitedEvent(
  db: SqlDb,
  execution: LockedExecution,
  name: string,
  since: Date,
): Promise<AcceptedEvent | null> {
  const [row] = await db.$queryRaw<AcceptedEvent[]>`
    SELECT "id", "data", "createdAt" FROM "Event"
    WHERE "projectId" IS NOT DISTINCT FROM ${execution.projectId}::uuid AND "contactId" = ${execution.contactId}::uuid AND "name" = ${name}
      AND "createdAt" > ${since} AND "kind" <> 'ACTIVITY'
    ORDER BY "createdAt", "id" LIMIT 1`;
  return row ?? null;
}

/** Executions that were not read since they changed, are overdue by this time, or are active in a disabled project; oldest first. */
export function findNeglected(
  db: SqlDb,
  after: NeglectedRow | null,
  limit: number,
  overdueSeconds: number,
): Promise<NeglectedRow[]> {
  const parts = [
    Prisma.sql`SELECT "id", "updatedAt" AS "since" FROM "WorkflowExecution"
      WHERE "wakeSeq" > "seenSeq" AND "updatedAt" < now() - interval '5 seconds'`,
    Prisma.sql`SELECT "id", "resumeAt" AS "since" FROM "WorkflowExecution"
      WHERE "resumeAt" IS NOT NULL AND "resumeAt" < now() - ${overdueSeconds} * interval '1 second'`,
    Prisma.sql`SELECT x."id", x."updatedAt" AS "since" FROM "Project" p JOIN "WorkflowExecution" x ON x."projectId" = p."id"
      WHERE p."disabled" AND x."status" IN ('RUNNING', 'WAITING')`,
  ];
  return findNeglectedRows(db, parts, after, limit);
}
