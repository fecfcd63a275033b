import { byKey, Prisma, type SqlDb } from '../../base/db/index.ts';
import { endReasons } from './exit-reasons.rules.ts';
import { tellFailures } from './runtime/execution-events.ts';

const executionsAtOnce = 2_000;

/**
 * Fails the executions of a restored database that were due until then: what they did since its data was saved is not known. They name no step,
 * so that no error budget counts them; a retry goes on where they are.
 *
 * @returns how many
 */
export async function failDue(db: SqlDb, lostUntil: Date): Promise<number> {
  for (let failed = 0; ; ) {
    const count = await db.$executeRaw(Prisma.sql`
      WITH "due" AS MATERIALIZED (
        SELECT "id", "currentStepId" FROM "WorkflowExecution"
        WHERE "status" IN ('RUNNING', 'WAITING') AND "dueAt" <= ${lostUntil}::timestamptz ORDER BY "id" LIMIT ${executionsAtOnce}::int FOR UPDATE
      ), "steps" AS (
        UPDATE "WorkflowStepExecution" s SET "status" = 'FAILED', "error" = ${endReasons.restored}, "completedAt" = now(), "updatedAt" = now()
        FROM "due" d WHERE ${byKey('s."executionId"', 'd."id"')} AND s."stepId" = d."currentStepId"
          AND s."status" IN ('PENDING', 'SCHEDULED', 'WAITING', 'RUNNING')
      ), "requests" AS (
        DELETE FROM "StepRequest" r USING "due" d WHERE ${byKey('r."executionId"', 'd."id"')}
      ), "failed" AS (
        UPDATE "WorkflowExecution" x SET "status" = 'FAILED', "exitReason" = ${endReasons.restored}, "failedStepKey" = NULL, "dueAt" = NULL,
          "resumeAt" = NULL, "completedAt" = now(), "seenSeq" = x."wakeSeq", "lostTurns" = 0, "updatedAt" = now()
        FROM "due" d WHERE ${byKey('x."id"', 'd."id"')}
        RETURNING x."id", x."projectId", x."workflowId", x."contactId", x."exitReason", x."failedStepKey", x."retries"
      ), "told" AS (${tellFailures('"failed"')})
      SELECT FROM "failed"`);
    failed += count;
    if (count < executionsAtOnce) return failed;
  }
}

/**
 * Passes over the entries whose time was until then: a new contact does not enter any more, and of a date the occurrence after it is looked for.
 *
 * @returns how many
 */
export async function passEntries(db: SqlDb, lostUntil: Date): Promise<number> {
  const removed = await db.$executeRaw`
    DELETE FROM "WorkflowDue" WHERE "at" <= ${lostUntil}::timestamptz AND "source" IS NOT NULL`;
  const later = await db.$executeRaw`
    UPDATE "WorkflowDue" SET "day" = NULL, "at" = ${lostUntil}::timestamptz WHERE "at" <= ${lostUntil}::timestamptz AND "day" IS NOT NULL`;
  return removed + later;
}

/** Requests of steps that a process was making are made again: their receiver knows them by their ids. */
export async function releaseRequests(db: SqlDb): Promise<void> {
  await db.$executeRaw`UPDATE "StepRequest" SET "token" = NULL, "leaseUntil" = NULL, "dueAt" = now() WHERE "token" IS NOT NULL`;
}
