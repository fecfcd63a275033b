import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { audienceSql } from '../../../audience/segments/index.ts';
import { type Db, findNeglectedRows, type NeglectedRow, Prisma } from '../../../base/db/index.ts';
import { entryOf } from '../entries/entry.rules.ts';
import { scheduledTypes, type TriggerType } from '../triggers/triggers.schema.ts';
import { countedBlocked, entered, wantedEntries } from './entries.store.ts';
import { executionIdSql } from './execution-id.store.ts';

export interface ScheduleRow {
  id: string;
  projectId: string;
  enabled: boolean;
  triggerType: TriggerType;
  triggerConfig: { cron?: string; timezone?: string; segmentId?: string; filter?: FilterTree };
  entry: unknown;
  allowReentry: boolean;
  triggerStepId: string | null;
  wakeSeq: bigint;
  projectStopped: boolean;
}

/** For Temporal workflows, which have only the id. */
export async function readSchedule(db: Db, workflowId: string): Promise<ScheduleRow | null> {
  const [row] = await db.$queryRaw<ScheduleRow[]>`
    SELECT w."id", w."projectId", w."enabled", w."triggerType"::text AS "triggerType", w."triggerConfig", w."entry", w."allowReentry", w."wakeSeq",
      (SELECT t."id" FROM "WorkflowStep" t WHERE t."workflowId" = w."id" AND t."type" = 'TRIGGER') AS "triggerStepId",
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
  /** executions that it has started */
  started: number;
  /** null after the last batch */
  next: EntryCursor | null;
}

interface Candidate {
  id: string;
  createdAt: Date;
}

/**
 * Enters one batch of the contacts of a tick. The id of an execution is derived from workflow, tick and contact, so
 * that a repeated batch enters no contact twice.
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
  const { segmentId, filter } = workflow.triggerConfig;
  const audience =
    segmentId === undefined && filter === undefined
      ? Prisma.sql`c."subscribed"`
      : await audienceSql(
          db,
          workflow.projectId,
          filter === undefined
            ? { audienceType: 'SEGMENT', segmentId: segmentId ?? null }
            : { audienceType: 'FILTERED', audienceCondition: filter },
        );
  const keyset = after
    ? Prisma.sql`AND (c."createdAt", c."id") > (${new Date(after.createdAt)}, ${after.id}::uuid)`
    : Prisma.empty;
  const candidates = await db.$queryRaw<Candidate[]>`
    SELECT c."id", c."createdAt" FROM "Contact" c
    WHERE c."projectId" = ${workflow.projectId}::uuid AND ${audience} ${keyset}
    ORDER BY c."createdAt", c."id" LIMIT ${limit}`;
  const last = candidates.at(-1);
  if (!last) return { started: 0, next: null };
  const contactIds = candidates.map(({ id }) => id);
  const { id, projectId } = workflow;
  const entry = entryOf(workflow.entry);
  const gate = { ...workflow, ...entry, workflowId: id };
  // The time of the tick counts, not that of the batch: `every` a week admits whom the tick of a week ago has let in.
  const wanted = await wantedEntries(
    db,
    projectId,
    entry,
    Prisma.sql`
      SELECT c.*, NULL::uuid AS "eventId", now() AS "anchorAt", '{}'::jsonb AS "context", least(${new Date(tick)}::timestamptz, now()) AS "at",
        NULL::date AS "day", w."version"
      FROM (SELECT k."contactId", ${executionIdSql(workflow.id, tick)} AS "id" FROM unnest(${contactIds}::uuid[]) AS k("contactId")) c
      CROSS JOIN (SELECT w."version" FROM "Workflow" w
        WHERE w."id" = ${id}::uuid AND w."enabled" AND w."triggerType"::text = ${workflow.triggerType} FOR KEY SHARE) w
      WHERE (SELECT true FROM "WorkflowExecution" x WHERE x."id" = c."id") IS NULL`,
  );
  const rows = await db.$queryRaw<{ started: number }[]>`
    WITH ${wanted}, ${entered(gate)}, ${countedBlocked(gate)}
    SELECT count(*)::int AS "started" FROM "started"`;
  return {
    started: rows[0]?.started ?? 0,
    next: candidates.length < limit ? null : { createdAt: last.createdAt.getTime(), id: last.id },
  };
}
