import { type Db, Prisma } from '../../base/db/index.ts';
import { newId } from '../../base/lib/index.ts';
import type { CancelReason } from './exit-reasons.rules.ts';
import { tellExecutions, toldColumns } from './runtime/execution-events.ts';
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
 * Starts an execution unless the contact may not enter: an active one always blocks, and any earlier one if the
 * workflow allows no re-entry. Two unique indexes decide between concurrent entries.
 */
export async function insertExecution(
  db: Db,
  { id: workflowId, projectId, allowReentry, version }: WorkflowRow,
  { contactId, context, triggerStepId }: NewExecution,
): Promise<ExecutionRow | null> {
  // An earlier execution may date from a time when re-entry was allowed, so the index of single entries does not contain it.
  const guard = allowReentry
    ? Prisma.empty
    : Prisma.sql`WHERE NOT EXISTS (SELECT FROM "WorkflowExecution" e
        WHERE e."projectId" = ${projectId}::uuid AND e."contactId" = ${contactId}::uuid AND e."workflowId" = ${workflowId}::uuid)`;
  const id = newId();
  const started = await db.$executeRaw`
    WITH "started" AS (
    INSERT INTO "WorkflowExecution"
      ("id", "projectId", "workflowId", "contactId", "status", "currentStepId", "context", "singleEntry", "version", "wakeSeq", "updatedAt")
    SELECT ${id}::uuid, ${projectId}::uuid, ${workflowId}::uuid, ${contactId}::uuid, 'RUNNING', ${triggerStepId}::uuid,
      ${JSON.stringify(context)}::jsonb, ${!allowReentry}, ${version}::int, 1, now()
    ${guard}
    ON CONFLICT DO NOTHING
    RETURNING ${toldColumns}
    ) ${tellExecutions('workflow.started', '"started"')}`;
  if (started === 0) return null;
  return db.workflowExecution.findUnique({ where: { id } });
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

/** Ends active executions of a workflow, all or one, and skips their open steps. Returns the ids of the ended ones. */
export async function cancelActive(
  db: Db,
  { projectId, workflowId, executionId }: { projectId: string; workflowId: string; executionId?: string },
  reason: CancelReason,
): Promise<string[]> {
  const one = executionId === undefined ? Prisma.empty : Prisma.sql`AND "id" = ${executionId}::uuid`;
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH ended AS (
      UPDATE "WorkflowExecution" SET "status" = 'CANCELLED', "exitReason" = ${reason}, "completedAt" = now(),
        "resumeAt" = NULL, "wakeSeq" = "wakeSeq" + 1, "updatedAt" = now()
      WHERE "projectId" = ${projectId}::uuid AND "workflowId" = ${workflowId}::uuid
        AND "status" IN ('RUNNING', 'WAITING') ${one}
      RETURNING ${toldColumns}
    ), told AS (${tellExecutions('workflow.completed', 'ended')}), skipped AS (
      UPDATE "WorkflowStepExecution" s SET "status" = 'SKIPPED', "completedAt" = now(), "updatedAt" = now()
      FROM ended e WHERE s."executionId" = e."id" AND s."status" IN ('PENDING', 'SCHEDULED', 'WAITING', 'RUNNING')
    )
    SELECT "id"::text AS "id" FROM ended`;
  return rows.map(({ id }) => id);
}

export interface ExecutionSearch {
  page: number;
  pageSize: number;
  status?: Status | undefined;
}

export async function searchExecutions(
  db: Db,
  projectId: string,
  workflowId: string,
  { page, pageSize, status }: ExecutionSearch,
): Promise<{ rows: ExecutionRow[]; total: number }> {
  const where = { projectId, workflowId, ...(status ? { status } : {}) };
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
  const rows = await db.workflowExecution.findMany({
    where: { projectId, contactId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
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
