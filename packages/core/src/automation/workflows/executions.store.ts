import { type Db, ofProject, Prisma } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import { type BlockReason, entryOf } from './entries/entry.rules.ts';
import type { CancelReason } from './exit-reasons.rules.ts';
import { cancelSome } from './runtime/cancel.store.ts';
import { entered, wantedEntries } from './runtime/entries.store.ts';
import { tellExecutions, toldColumns } from './runtime/execution-events.ts';
import { skipOpenSteps, withdrawRequests } from './runtime/set.store.ts';
import { stepNames } from './step-names.store.ts';
import { asObject, type StepRow, type WorkflowRow } from './workflows.store.ts';

export type ExecutionRow = Prisma.WorkflowExecutionGetPayload<object>;
export type StepExecutionRow = Prisma.WorkflowStepExecutionGetPayload<object>;
type Status = ExecutionRow['status'];

const active: Status[] = ['RUNNING', 'WAITING'];

export const presentExecution = (execution: ExecutionRow) => ({
  ...execution,
  context: asObject(execution.context),
});

const isFailure = (value: unknown): value is { at: string; error: string } =>
  typeof value === 'object' && value !== null && 'at' in value && 'error' in value;

/** Failures of a step that are told. */
const toldFailures = 5;

/** The failures of a step, the newest first: that of now, and those before its retries. */
export function failuresOf({
  status,
  error,
  completedAt,
  updatedAt,
  failures,
}: Pick<StepExecutionRow, 'status' | 'error' | 'completedAt' | 'updatedAt' | 'failures'>): {
  at: Date;
  error: string;
}[] {
  const earlier = (Array.isArray(failures) ? failures : [])
    .filter(isFailure)
    .map((each) => ({ at: new Date(each.at), error: each.error }));
  const now = status === 'FAILED' ? [{ at: completedAt ?? updatedAt, error: error ?? '' }] : [];
  return [...now, ...earlier].slice(0, toldFailures);
}

export async function hasActiveExecutions(db: Db, projectId: string, workflowId: string): Promise<boolean> {
  const found = await db.workflowExecution.findFirst({
    where: { projectId, workflowId, status: { in: active } },
    select: { id: true },
  });
  return found !== null;
}

export interface NewExecution {
  contactId: string;
  context: Record<string, unknown>;
  triggerStepId: string;
}

/**
 * Starts an execution unless a rule of the workflow keeps the contact out. The row of the entry decides between concurrent ones.
 *
 * @returns the execution, or the rule
 */
export async function insertExecution(
  db: Db,
  workflow: WorkflowRow,
  { contactId, context, triggerStepId }: NewExecution,
): Promise<ExecutionRow | BlockReason> {
  const id = newId();
  const { id: workflowId, projectId, version, allowReentry } = workflow;
  const entry = entryOf(workflow.entry);
  const wanted = await wantedEntries(
    db,
    projectId,
    entry,
    Prisma.sql`
      SELECT ${id}::uuid AS "id", ${contactId}::uuid AS "contactId", NULL::uuid AS "eventId", now() AS "anchorAt", now() AS "at",
        ${JSON.stringify(context)}::jsonb AS "context", NULL::date AS "day", ${version}::int AS "version"`,
  );
  const [row] = await db.$queryRaw<{ started: number; reason: BlockReason | null }[]>`
    WITH ${wanted}, ${entered({ ...entry, projectId, workflowId, allowReentry, triggerStepId })}
    SELECT (SELECT count(*)::int FROM "started") AS "started", (SELECT b."reason" FROM "blocked" b) AS "reason"`;
  if (row?.started !== 1) return row?.reason ?? 'active';
  return db.workflowExecution.findUniqueOrThrow({ where: { id } });
}

export const findExecution = (
  db: Db,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<ExecutionRow | null> => db.workflowExecution.findFirst({ where: { id, projectId, workflowId } });

/** Locks an execution until the transaction ends, so that it takes no step. */
export async function lockExecution(
  db: Db,
  projectId: string,
  workflowId: string,
  id: string,
): Promise<ExecutionRow | null> {
  await db.$queryRaw`
    SELECT 1 FROM "WorkflowExecution" WHERE "id" = ${id}::uuid AND "projectId" = ${projectId}::uuid FOR UPDATE`;
  return findExecution(db, projectId, workflowId, id);
}

/** Ends an active execution, and skips its open steps. @returns whether it was active */
export async function cancelActive(
  db: Db,
  { projectId, workflowId, executionId }: { projectId: string; workflowId: string; executionId: string },
  reason: CancelReason,
): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH ended AS (
      UPDATE "WorkflowExecution" SET "status" = 'CANCELLED', "exitReason" = ${reason}, "completedAt" = now(),
        "dueAt" = NULL, "resumeAt" = NULL, "seenSeq" = "wakeSeq", "updatedAt" = now()
      WHERE "id" = ${executionId}::uuid AND "projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid
        AND "status" IN ('RUNNING', 'WAITING')
      RETURNING ${toldColumns}
    ), told AS (${tellExecutions('workflow.completed', 'ended')}), skipped AS (${skipOpenSteps}), withdrawn AS (${withdrawRequests})
    SELECT "id"::text AS "id" FROM ended`;
  return rows.length > 0;
}

/**
 * Cancels the active executions of a workflow whose graph is locked. The rows of the first ones are changed here, those of the others by turns
 * of the runners.
 *
 * @returns how many there are
 */
export async function beginCancellation(db: Db, projectId: string, workflowId: string): Promise<number> {
  const cancelled = await db.workflowExecution.count({
    where: { projectId, workflowId, status: { in: active } },
  });
  await db.$executeRaw`
    UPDATE "Workflow" SET "cancelledAt" = clock_timestamp(), "cancelling" = true WHERE "id" = ${workflowId}::uuid AND "projectId" = ${projectId}::uuid`;
  await cancelSome(db, projectId, workflowId);
  return cancelled;
}

export interface ExecutionSearch {
  page: number;
  pageSize: number;
  status?: Status | undefined;
  /** that they began with */
  version?: number | undefined;
  heldOut?: boolean | undefined;
  /** where they are, or where they failed */
  stepId?: string | undefined;
  contactId?: string | undefined;
  /** when they began: at this time or later, and before */
  from?: Date | undefined;
  to?: Date | undefined;
}

export async function searchExecutions(
  db: Db,
  projectId: string,
  workflowId: string,
  { page, pageSize, status, version, stepId, contactId, heldOut, from, to }: ExecutionSearch,
): Promise<{ rows: ExecutionRow[]; total: number }> {
  const where: Prisma.WorkflowExecutionWhereInput = {
    ...{ projectId, workflowId },
    ...(status && { status }),
    ...(version !== undefined && { version }),
    ...(heldOut !== undefined && { heldOut }),
    ...(stepId !== undefined && { currentStepId: stepId }),
    ...(contactId !== undefined && { contactId }),
    ...((from || to) && { createdAt: { ...(from && { gte: from }), ...(to && { lt: to }) } }),
  };
  const [rows, total] = await Promise.all([
    db.workflowExecution.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * pageSize,
      take: pageSize,
    }),
    db.workflowExecution.count({ where }),
  ]);
  return { rows, total };
}

/** The executions of one contact in all workflows, newest first, with the related records. */
export async function executionsOfContact(
  db: Db,
  projectId: string,
  contactId: string,
  limit: number,
): Promise<(ExecutionRow & { workflow: { id: string; name: string }; currentStep: StepName | null })[]> {
  // Those of a deleted workflow are removed behind its deletion.
  const rows = await db.$queryRaw<ExecutionRow[]>`
    SELECT x.* FROM "WorkflowExecution" x
    WHERE x."projectId" = ${projectId}::uuid AND x."contactId" = ${contactId}::uuid
      AND EXISTS (SELECT FROM "Workflow" w WHERE w."id" = x."workflowId" AND ${ofProject('w."projectId"', projectId)})
    ORDER BY x."createdAt" DESC, x."id" DESC LIMIT ${limit}::int`;
  const [workflows, stepsById] = await Promise.all([
    db.workflow.findMany({
      where: { projectId, id: { in: rows.map(({ workflowId }) => workflowId) } },
      select: { id: true, name: true },
    }),
    stepNames(
      db,
      projectId,
      rows.flatMap(({ currentStepId }) => currentStepId ?? []),
    ),
  ]);
  const workflowsById = new Map(workflows.map((row) => [row.id, row]));
  return rows.map((row) => ({
    ...row,
    workflow: workflowsById.get(row.workflowId) ?? { id: row.workflowId, name: '' },
    currentStep: row.currentStepId === null ? null : (stepsById.get(row.currentStepId) ?? null),
  }));
}

/** The related records of executions: their contacts and steps. */
export async function readNames(
  db: Db,
  projectId: string,
  executions: readonly Pick<ExecutionRow, 'contactId'>[],
  stepIds: readonly string[],
): Promise<{
  contactOf(id: string): { id: string; email: string };
  stepOf(id: string | null): StepName | null;
}> {
  const [contacts, stepsById] = await Promise.all([
    db.contact.findMany({
      where: { projectId, id: { in: executions.map(({ contactId }) => contactId) } },
      select: { id: true, email: true },
    }),
    stepNames(db, projectId, stepIds),
  ]);
  const contactsById = new Map(contacts.map((row) => [row.id, row]));
  return {
    contactOf: (id) => contactsById.get(id) ?? { id, email: '' },
    stepOf: (id) => (id === null ? null : (stepsById.get(id) ?? null)),
  };
}

type StepName = Pick<StepRow, 'id' | 'name' | 'type'>;

/** The workflow of an execution of the project, or null. */
export async function findWorkflowOfExecution(db: Db, projectId: string, id: string): Promise<string | null> {
  const row = await db.workflowExecution.findFirst({
    where: { id, projectId },
    select: { workflowId: true },
  });
  return row?.workflowId ?? null;
}
