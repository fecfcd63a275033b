import { type Db, Prisma, type SqlDb } from '../../../base/db/index.ts';
import { endReasons } from '../exit-reasons.rules.ts';
import { tellExecutions, toldColumns } from '../runtime/execution-events.ts';
import { skipOpenSteps, withdrawRequests } from '../runtime/set.store.ts';
import type { DelayConfig } from '../steps/delay.step.ts';
import { delayOf, type Waiting } from '../steps/delay-of.ts';
import type { TimerChange } from './move.rules.ts';

/** What becomes of the executions at one step. */
export type MoveTask = {
  stepId: string;
  /** that they began with; null: any before the new one */
  versions: number[] | null;
} & (
  | {
      /** the step where they go; null ends them */
      place: string | null;
    }
  | { timer: TimerChange }
);

export interface MoveInput {
  workflowId: string;
  /** to which they are moved */
  version: number;
  /** executions that were there when it was published */
  total: number;
  tasks: MoveTask[];
}

export interface MoveProgress {
  matched: number;
  changed: number;
  /** index of the task, and the last execution that it has looked at */
  task: number;
  after: string | null;
}

export interface MoveJobRow {
  id: string;
  projectId: string;
  state: 'waiting' | 'active' | 'completed' | 'failed';
  progress: number;
  input: MoveInput;
  result: MoveProgress | null;
  failedReason: string | null;
  createdAt: Date;
  completedAt: Date | null;
}

const kind = 'move-executions';
const columns = Prisma.sql`"id"::text AS "id", "projectId"::text AS "projectId", "state", "progress", "input", "result", "failedReason", "createdAt", "completedAt"`;

export async function insertMoveJob(
  db: Db,
  { id, projectId, input }: Pick<MoveJobRow, 'id' | 'projectId' | 'input'>,
): Promise<void> {
  await db.job.create({
    data: { id, projectId, kind, input: input as unknown as Prisma.InputJsonObject },
  });
}

/** For processing: the owner of a job that has not ended. */
export async function findOpenMoveJob(db: Db, id: string): Promise<MoveJobRow | null> {
  const [row] = await db.$queryRaw<MoveJobRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND "kind" = ${kind} AND "state" IN ('waiting', 'active')`;
  return row ?? null;
}

/** The same under a lock: a concurrent worker waits for the batch and then sees its progress. */
export async function lockOpenMoveJob(db: Db, id: string): Promise<MoveJobRow | null> {
  const [row] = await db.$queryRaw<MoveJobRow[]>`
    SELECT ${columns} FROM "Job" WHERE "id" = ${id}::uuid AND "kind" = ${kind} AND "state" IN ('waiting', 'active') FOR UPDATE`;
  return row ?? null;
}

export async function saveMoveJob(
  db: Db,
  id: string,
  result: MoveProgress,
  progress: number,
  hasEnded: boolean,
): Promise<void> {
  await db.job.update({
    where: { id },
    data: {
      state: hasEnded ? 'completed' : 'active',
      progress,
      result: { ...result } as Prisma.InputJsonObject,
      ...(hasEnded ? { completedAt: new Date() } : {}),
    },
  });
}

/** Jobs that have been open for longer than a signal takes, oldest first, for `reconcile`. */
export async function findOpenMoveJobs(db: Db, olderThanSeconds: number, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "Job" WHERE "state" IN ('waiting', 'active') AND "kind" = ${kind}
      AND "createdAt" < now() - ${olderThanSeconds}::int * interval '1 second'
    ORDER BY "createdAt" LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/**
 * Locks the next executions at a step, in the order of their ids. Where a later move has the step again, no one is taken from it: who is there may
 * have come by that version (`placeAfter` says the same).
 */
export async function lockNextAt(
  db: Db,
  { projectId, input }: Pick<MoveJobRow, 'projectId' | 'input'>,
  task: MoveTask,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { stepId, versions } = task;
  const those =
    versions === null
      ? Prisma.sql`"version" < ${input.version}::int`
      : Prisma.sql`"version" = ANY(${versions}::int[])`;
  const isGone =
    'timer' in task
      ? Prisma.empty
      : Prisma.sql`AND NOT EXISTS (
        SELECT FROM "WorkflowVersion" v WHERE v."workflowId" = ${input.workflowId}::uuid AND v."version" > ${input.version}::int
          AND v."move" IS NOT NULL AND jsonb_exists(v."steps", ${stepId}))`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT "id"::text AS "id" FROM "WorkflowExecution"
    WHERE "workflowId" = ${input.workflowId}::uuid AND "projectId" = ${projectId}::uuid AND "currentStepId" = ${stepId}::uuid
      AND "status" IN ('RUNNING', 'WAITING') AND ${those} ${isGone} ${after === null ? Prisma.empty : Prisma.sql`AND "id" > ${after}::uuid`}
    ORDER BY "id" LIMIT ${limit}::int FOR UPDATE`;
  return rows.map(({ id }) => id);
}

/** Ends locked executions whose step is gone. */
export async function exitMoved(db: SqlDb, ids: readonly string[]): Promise<void> {
  await db.$executeRaw`
    WITH "ended" AS (
      UPDATE "WorkflowExecution" SET "status" = 'EXITED', "exitReason" = ${endReasons.moved}, "dueAt" = NULL, "resumeAt" = NULL,
        "completedAt" = now(), "seenSeq" = "wakeSeq", "updatedAt" = now()
      WHERE "id" = ANY(${[...ids]}::uuid[])
      RETURNING ${toldColumns}
    ), "skipped" AS (${skipOpenSteps}), "withdrawn" AS (${withdrawRequests}
    ) ${tellExecutions('workflow.completed', '"ended"')}`;
}

/** Locked executions go on at another step. */
export async function placeMoved(db: SqlDb, ids: readonly string[], stepId: string): Promise<void> {
  await db.$executeRaw`
    WITH "ended" AS (
      UPDATE "WorkflowExecution" SET "status" = 'RUNNING', "currentStepId" = ${stepId}::uuid, "dueAt" = now(), "resumeAt" = NULL,
        "wakeSeq" = "wakeSeq" + 1, "updatedAt" = now()
      WHERE "id" = ANY(${[...ids]}::uuid[])
      RETURNING "id"
    ), "skipped" AS (${skipOpenSteps})
    ${withdrawRequests}`;
}

/** Locked executions that wait at a step get the time of its new configuration, and look for their event once more. */
export async function retimeMoved(
  db: Db,
  ids: readonly string[],
  stepId: string,
  { until }: TimerChange,
): Promise<number> {
  if (typeof until === 'object' && until !== null) return retimeEach(db, ids, stepId, until);
  const wakes =
    until === 'kept'
      ? Prisma.sql`s."scheduledFor"`
      : Prisma.sql`s."startedAt" + ${until}::double precision * interval '1 millisecond'`;
  return db.$executeRaw`
    WITH "timed" AS (
      UPDATE "WorkflowStepExecution" s SET "scheduledFor" = ${wakes}, "updatedAt" = now()
      WHERE s."executionId" = ANY(${[...ids]}::uuid[]) AND s."stepId" = ${stepId}::uuid AND s."status" IN ('SCHEDULED', 'WAITING')
      RETURNING s."executionId", s."scheduledFor", s."status"
    ) ${wakeTimed}`;
}

/** Waits look at once: an event that has woken one is not lost to its new time. */
const wakeTimed = Prisma.sql`
    UPDATE "WorkflowExecution" x SET "dueAt" = CASE WHEN "timed"."status" = 'WAITING' THEN now() ELSE "timed"."scheduledFor" END, "resumeAt" = "timed"."scheduledFor", "wakeSeq" = x."wakeSeq" + 1, "updatedAt" = now()
    FROM "timed" WHERE x."id" = "timed"."executionId"`;

interface WaitingRow extends Waiting {
  id: string;
  startedAt: Date;
}

/** The same where the time differs by contact: as if the step had been configured so when each came to it. */
async function retimeEach(
  db: Db,
  ids: readonly string[],
  stepId: string,
  config: DelayConfig,
): Promise<number> {
  const rows = await db.$queryRaw<WaitingRow[]>`
    SELECT x."id"::text AS "id", s."startedAt", x."context", coalesce((SELECT v."definition" ->> 'timeZone' FROM "WorkflowVersion" v
        WHERE v."workflowId" = x."workflowId" AND v."version" = version_run(x."workflowId", x."version")), p."timezone") AS "timeZone", jsonb_build_object('data', c."data") AS "contact"
    FROM "WorkflowStepExecution" s JOIN "WorkflowExecution" x ON x."id" = s."executionId" JOIN "Project" p ON p."id" = x."projectId"
      JOIN "Contact" c ON c."id" = x."contactId"
    WHERE s."executionId" = ANY(${[...ids]}::uuid[]) AND s."stepId" = ${stepId}::uuid AND s."status" = 'SCHEDULED'`;
  const timed = rows.map((row) => ({ id: row.id, ...delayOf(config, row.startedAt.getTime(), row) }));
  const ended = timed.filter(({ exits }) => exits).map(({ id }) => id);
  if (ended.length > 0) await exitMoved(db, ended);
  const others = timed.filter(({ exits }) => !exits);
  const input = others.map(({ id, at, zone, reason }) => ({ id, at: new Date(at), why: { zone, reason } }));
  await db.$executeRaw`
    WITH "given" AS (SELECT * FROM jsonb_to_recordset(${JSON.stringify(input)}::jsonb) AS g("id" uuid, "at" timestamptz, "why" jsonb)),
    "timed" AS (
      UPDATE "WorkflowStepExecution" s SET "scheduledFor" = g."at", "output" = coalesce(s."output", '{}') || g."why", "updatedAt" = now()
      FROM "given" g WHERE s."executionId" = g."id" AND s."stepId" = ${stepId}::uuid AND s."status" = 'SCHEDULED'
      RETURNING s."executionId", s."scheduledFor", s."status"
    ) ${wakeTimed}`;
  return timed.length;
}
