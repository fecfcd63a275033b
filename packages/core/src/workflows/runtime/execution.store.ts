import type { Db, ExecutionStatus, StepStatus, StepType } from '../../db/index.ts';
import { Prisma } from '../../db/index.ts';
import { newId } from '../../kernel/index.ts';
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
}

export interface StepExecutionRow {
  id: string;
  status: StepStatus;
  scheduledFor: Date | null;
  output: Json | null;
  error: string | null;
  startedAt: Date | null;
}

/** Everything that the next step of an execution needs, as it stands at one moment. */
export interface Standing extends LockedExecution {
  startedAt: Date;
  sourceEventId: string | null;
  projectName: string;
  language: string;
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
  step: { id: string; type: StepType; name: string; config: Json; templateId: string | null } | null;
  stepExecution: StepExecutionRow | null;
}

interface StandingRow extends Omit<Standing, 'contact' | 'step' | 'stepExecution'> {
  contactEmail: string | null;
  subscribed: boolean;
  contactData: Json;
  contactCreatedAt: Date;
  contactUpdatedAt: Date;
  stepId: string | null;
  stepType: StepType;
  stepName: string;
  config: Json;
  templateId: string | null;
  stepExecutionId: string | null;
  stepStatus: StepStatus;
  scheduledFor: Date | null;
  output: Json | null;
  error: string | null;
  stepStartedAt: Date | null;
}

/** For the workflow, which knows nothing but the id. An execution that stands nowhere yet stands on its trigger. */
export async function readStanding(db: Db, executionId: string): Promise<Standing | null> {
  const [row] = await db.$queryRaw<StandingRow[]>`
    SELECT x."id", x."projectId", x."workflowId", x."contactId", x."status"::text AS "status", x."currentStepId", x."context",
      x."startedAt", x."sourceEventId",
      p."name" AS "projectName", p."language", p."tracking"::text AS "tracking", p."disabled" OR p."deletedAt" IS NOT NULL AS "projectStopped",
      p."webhookSecretCipher", w."name" AS "workflowName",
      c."email" AS "contactEmail", c."subscribed", c."data" AS "contactData", c."createdAt" AS "contactCreatedAt",
      c."updatedAt" AS "contactUpdatedAt",
      t."id" AS "stepId", t."type"::text AS "stepType", t."name" AS "stepName", t."config", t."templateId",
      s."id" AS "stepExecutionId", s."status"::text AS "stepStatus", s."scheduledFor", s."output", s."error", s."startedAt" AS "stepStartedAt"
    FROM "WorkflowExecution" x
    JOIN "Project" p ON p."id" = x."projectId"
    LEFT JOIN "Workflow" w ON w."id" = x."workflowId" AND w."projectId" = x."projectId"
    LEFT JOIN "Contact" c ON c."id" = x."contactId" AND c."projectId" = x."projectId"
    LEFT JOIN "WorkflowStep" t ON t."workflowId" = x."workflowId" AND t."projectId" = x."projectId"
      AND CASE WHEN x."currentStepId" IS NULL THEN t."type" = 'TRIGGER' ELSE t."id" = x."currentStepId" END
    LEFT JOIN "WorkflowStepExecution" s ON s."executionId" = x."id" AND s."stepId" = t."id"
    WHERE x."id" = ${executionId}::uuid`;
  return row ? toStanding(row) : null;
}

function toStanding(row: StandingRow): Standing {
  const { contactEmail, subscribed, contactData, contactCreatedAt, contactUpdatedAt, ...rest } = row;
  return {
    ...rest,
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
    step:
      row.stepId === null
        ? null
        : {
            id: row.stepId,
            type: row.stepType,
            name: row.stepName,
            config: row.config,
            templateId: row.templateId,
          },
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

/** Locks the row until the transaction ends: turns, cancels and ended waits happen one after another. */
export async function lockExecution(db: Db, id: string): Promise<LockedExecution | null> {
  const [row] = await db.$queryRaw<LockedExecution[]>`
    SELECT "id", "projectId", "workflowId", "contactId", "status"::text AS "status", "currentStepId", "context"
    FROM "WorkflowExecution" WHERE "id" = ${id}::uuid FOR UPDATE`;
  return row ?? null;
}

/** The row of a step, made at its first turn. Its time is the database's: it is compared with the times of events. */
export async function beginStep(
  db: Db,
  execution: LockedExecution,
  stepId: string,
): Promise<StepExecutionRow> {
  await db.$executeRaw`
    INSERT INTO "WorkflowStepExecution" ("id", "projectId", "executionId", "stepId", "status", "startedAt")
    VALUES (${newId()}::uuid, ${execution.projectId}::uuid, ${execution.id}::uuid, ${stepId}::uuid, 'RUNNING', clock_timestamp())
    ON CONFLICT DO NOTHING`;
  return db.workflowStepExecution.findUniqueOrThrow({
    where: { executionId_stepId: { executionId: execution.id, stepId } },
    select: { id: true, status: true, scheduledFor: true, output: true, error: true, startedAt: true },
  }) as Promise<StepExecutionRow>;
}

export async function closeStep(
  db: Db,
  id: string,
  closed: { status: 'COMPLETED' | 'FAILED'; output: Json | null; error?: string; eventId?: string },
): Promise<void> {
  await db.workflowStepExecution.update({
    where: { id },
    data: {
      status: closed.status,
      ...(closed.output === null ? {} : { output: closed.output as Prisma.InputJsonObject }),
      error: closed.error ?? null,
      ...(closed.eventId === undefined ? {} : { eventId: closed.eventId }),
      completedAt: new Date(),
    },
  });
}

/** The ways out of a step, in the order in which they are looked at. */
export const readTransitions = (
  db: Db,
  execution: LockedExecution,
  fromStepId: string,
): Promise<Transition[]> =>
  db.workflowTransition.findMany({
    where: { projectId: execution.projectId, workflowId: execution.workflowId, fromStepId },
    orderBy: [{ priority: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    select: { toStepId: true, branch: true, waitOutcome: true },
  });

/**
 * Goes on to a step. A running execution always counts as not seen, so that `reconcile` finds it when whoever runs it is lost.
 */
export async function moveTo(
  db: Db,
  id: string,
  stepId: string,
  mergedContext: Json | null = null,
): Promise<void> {
  const merged = mergedContext === null ? Prisma.sql`'{}'` : Prisma.sql`${JSON.stringify(mergedContext)}`;
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "status" = 'RUNNING', "currentStepId" = ${stepId}::uuid, "resumeAt" = NULL,
      "context" = "context" || ${merged}::jsonb, "wakeSeq" = greatest("wakeSeq", "seenSeq" + 1), "updatedAt" = now()
    WHERE "id" = ${id}::uuid`;
}

export interface Ending {
  status: 'COMPLETED' | 'EXITED' | 'FAILED' | 'CANCELLED';
  exitReason: string | null;
  mergedContext?: Json | null;
}

export async function endExecution(
  db: Db,
  id: string,
  { status, exitReason, mergedContext }: Ending,
): Promise<void> {
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "status" = ${status}::"ExecutionStatus", "exitReason" = ${exitReason}, "resumeAt" = NULL,
      "currentStepId" = CASE WHEN ${status} = 'COMPLETED' THEN NULL ELSE "currentStepId" END,
      "context" = "context" || ${JSON.stringify(mergedContext ?? {})}::jsonb,
      "completedAt" = now(), "seenSeq" = "wakeSeq", "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND "status" IN ('RUNNING', 'WAITING')`;
  if (status !== 'CANCELLED') return;
  await db.workflowStepExecution.updateMany({
    where: { executionId: id, status: { in: ['PENDING', 'SCHEDULED', 'WAITING', 'RUNNING'] } },
    data: { status: 'SKIPPED', completedAt: new Date() },
  });
}

export interface Parking {
  stepStatus: 'SCHEDULED' | 'WAITING' | 'RUNNING';
  status: 'WAITING' | 'RUNNING';
  /** when it goes on by itself; null: only when something happens */
  until: Date | null;
  output?: Json;
}

/** Writes down that nothing is to be done before `until`: from here on the row says so, and the execution counts as seen. */
export async function park(
  db: Db,
  execution: LockedExecution,
  stepId: string,
  stepExecutionId: string,
  { stepStatus, status, until, output }: Parking,
): Promise<void> {
  await db.workflowStepExecution.update({
    where: { id: stepExecutionId },
    data: {
      status: stepStatus,
      scheduledFor: until,
      ...(output === undefined ? {} : { output: output as Prisma.InputJsonObject }),
    },
  });
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "status" = ${status}::"ExecutionStatus", "currentStepId" = ${stepId}::uuid, "resumeAt" = ${until},
      "seenSeq" = "wakeSeq", "updatedAt" = now()
    WHERE "id" = ${execution.id}::uuid`;
}

/** For an execution that ended elsewhere: there is nothing left to look at. */
export async function markEndSeen(db: Db, id: string): Promise<void> {
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "seenSeq" = "wakeSeq", "resumeAt" = NULL
    WHERE "id" = ${id}::uuid AND "status" NOT IN ('RUNNING', 'WAITING') AND ("wakeSeq" > "seenSeq" OR "resumeAt" IS NOT NULL)`;
}

/** The execution of a contact that is gone goes with it. */
export async function removeExecution(db: Db, id: string): Promise<void> {
  await db.workflowStepExecution.deleteMany({ where: { executionId: id } });
  await db.workflowExecution.deleteMany({ where: { id } });
}

export interface AcceptedEvent {
  id: string;
  data: Json | null;
  createdAt: Date;
}

/** The first event of a name that was stored for the contact after the step began. */
export async function findAwaitedEvent(
  db: Db,
  execution: LockedExecution,
  name: string,
  since: Date,
): Promise<AcceptedEvent | null> {
  const [row] = await db.$queryRaw<AcceptedEvent[]>`
    SELECT "id", "data", "createdAt" FROM "Event"
    WHERE "projectId" = ${execution.projectId}::uuid AND "contactId" = ${execution.contactId}::uuid AND "name" = ${name}
      AND "createdAt" > ${since} AND "kind" <> 'ACTIVITY'
    ORDER BY "createdAt", "id" LIMIT 1`;
  return row ?? null;
}

/** Executions that nobody looked at since they changed, or whose time came a minute ago; oldest first. */
export async function findNeglected(db: Db, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    (SELECT "id" FROM "WorkflowExecution" WHERE "wakeSeq" > "seenSeq" AND "updatedAt" < now() - interval '5 seconds'
      ORDER BY "updatedAt" LIMIT ${limit})
    UNION
    (SELECT "id" FROM "WorkflowExecution" WHERE "resumeAt" < now() - interval '60 seconds' ORDER BY "resumeAt" LIMIT ${limit})
    LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}
