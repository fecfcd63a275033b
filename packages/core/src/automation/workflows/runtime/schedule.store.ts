import { audienceSql } from '../../../audience/segments/index.ts';
import { type Db, findNeglectedRows, type NeglectedRow, Prisma } from '../../../base/db/index.ts';
import { scheduledTypes, type TriggerType } from '../triggers/triggers.schema.ts';
import { tellExecutions, toldColumns } from './execution-events.ts';

export interface ScheduleRow {
  id: string;
  projectId: string;
  enabled: boolean;
  triggerType: TriggerType;
  triggerConfig: { cron?: string; timezone?: string; segmentId?: string };
  wakeSeq: bigint;
  projectStopped: boolean;
}

/** For Temporal workflows, which have only the id. */
export async function readSchedule(db: Db, workflowId: string): Promise<ScheduleRow | null> {
  const [row] = await db.$queryRaw<ScheduleRow[]>`
    SELECT w."id", w."projectId", w."enabled", w."triggerType"::text AS "triggerType", w."triggerConfig", w."wakeSeq",
      p."disabled" OR p."deletedAt" IS NOT NULL AS "projectStopped"
    FROM "Workflow" w JOIN "Project" p ON p."id" = w."projectId" WHERE w."id" = ${workflowId}::uuid`;
  return row ?? null;
}

export async function markScheduleSeen(db: Db, workflowId: string, wakeSeq: bigint): Promise<void> {
  await db.$executeRaw`
    UPDATE "Workflow" SET "seenSeq" = greatest("seenSeq", ${wakeSeq}) WHERE "id" = ${workflowId}::uuid`;
}

/** Marks every schedule as unchecked, because Temporal's store was emptied. */
export async function unseeSchedules(db: Db): Promise<void> {
  await db.$executeRaw`
    UPDATE "Workflow" SET "wakeSeq" = greatest("wakeSeq", "seenSeq" + 1) WHERE "triggerType"::text = ANY(${scheduledTypes}) AND "enabled"`;
}

/** Workflows whose schedule was not checked since they changed, oldest first. */
export const findUnseenSchedules = (
  db: Db,
  after: NeglectedRow | null,
  limit: number,
): Promise<NeglectedRow[]> =>
  findNeglectedRows(
    db,
    [Prisma.sql`SELECT "id", "updatedAt" AS "since" FROM "Workflow" WHERE "wakeSeq" > "seenSeq"`],
    after,
    limit,
  );

export interface EntryCursor {
  createdAt: number;
  id: string;
}

export interface EnteredBatch {
  executionIds: string[];
  /** null after the last batch */
  next: EntryCursor | null;
}

interface Candidate {
  id: string;
  createdAt: Date;
}

/**
 * Enters one batch of the contacts of a tick. The id of an execution is derived from workflow, tick and contact, so
 * that a repeated batch enters no contact twice. Returns all executions of the batch that have not begun.
 *
 * @param tick milliseconds since the epoch
 */
export async function enterBySchedule(
  db: Db,
  workflow: ScheduleRow,
  tick: number,
  after: EntryCursor | null,
  limit: number,
): Promise<EnteredBatch> {
  const { segmentId } = workflow.triggerConfig;
  const audience =
    segmentId === undefined
      ? Prisma.sql`c."subscribed"`
      : await audienceSql(db, workflow.projectId, {
          audienceType: 'SEGMENT',
          segmentId,
          audienceCondition: null,
        });
  const keyset = after
    ? Prisma.sql`AND (c."createdAt", c."id") > (${new Date(after.createdAt)}, ${after.id}::uuid)`
    : Prisma.empty;
  const candidates = await db.$queryRaw<Candidate[]>`
    SELECT c."id", c."createdAt" FROM "Contact" c
    WHERE c."projectId" = ${workflow.projectId}::uuid AND ${audience} ${keyset}
    ORDER BY c."createdAt", c."id" LIMIT ${limit}`;
  const last = candidates.at(-1);
  if (!last) return { executionIds: [], next: null };
  const contactIds = candidates.map(({ id }) => id);
  await db.$executeRaw`
    WITH "started" AS (
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "context", "singleEntry", "version", "wakeSeq", "currentStepId")
    SELECT ${executionIdSql(workflow.id, tick)}, w."projectId", w."id", c."id", '{}', NOT w."allowReentry", w."version", 1,
      (SELECT t."id" FROM "WorkflowStep" t WHERE t."workflowId" = w."id" AND t."type" = 'TRIGGER')
    FROM unnest(${contactIds}::uuid[]) AS c("id")
    JOIN "Workflow" w ON w."id" = ${workflow.id}::uuid AND w."enabled" AND w."triggerType"::text = ${workflow.triggerType}
    WHERE w."allowReentry" OR NOT EXISTS (
      SELECT FROM "WorkflowExecution" x
      WHERE x."projectId" = w."projectId" AND x."workflowId" = w."id" AND x."contactId" = c."id")
    FOR KEY SHARE OF w
    ON CONFLICT DO NOTHING
    RETURNING ${toldColumns}
    ) ${tellExecutions('workflow.started', '"started"')}`;
  // Not only those inserted now: an earlier attempt may have ended before it signalled its own.
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT x."id" FROM unnest(${contactIds}::uuid[]) AS c("id")
    JOIN "WorkflowExecution" x ON x."id" = ${executionIdSql(workflow.id, tick)} AND x."status" = 'RUNNING'
      AND x."wakeSeq" > x."seenSeq"`;
  return {
    executionIds: rows.map(({ id }) => id),
    next: candidates.length < limit ? null : { createdAt: last.createdAt.getTime(), id: last.id },
  };
}

/** A uuid of version 7 (RFC 9562) whose time is the tick and whose random part is derived from workflow, tick and contact. */
function executionIdSql(workflowId: string, tick: number): Prisma.Sql {
  const time = Buffer.alloc(6);
  time.writeUIntBE(tick, 0, 6);
  const seeded = Prisma.sql`overlay(decode(md5(${`${workflowId}:${tick}:`} || c."id"::text), 'hex') placing decode(${time.toString('hex')}, 'hex') FROM 1 FOR 6)`;
  const versioned = Prisma.sql`set_byte(${seeded}, 6, (get_byte(${seeded}, 6) & 15) | 112)`;
  return Prisma.sql`encode(set_byte(${versioned}, 8, (get_byte(${versioned}, 8) & 63) | 128), 'hex')::uuid`;
}
