import type { SqlDb } from '../../../base/db/index.ts';

type Json = Record<string, unknown>;

export interface Rehearsal {
  id: string;
  projectId: string;
  workflowId: string;
  contactId: string;
  context: Json;
}

/** Stores the execution of a test run, as an ended one: the contact may have an active execution of the workflow. */
export async function insertRehearsal(
  db: SqlDb,
  { id, projectId, workflowId, contactId, context }: Rehearsal,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "WorkflowExecution" ("id", "projectId", "workflowId", "contactId", "status", "context", "updatedAt")
    VALUES (${id}::uuid, ${projectId}::uuid, ${workflowId}::uuid, ${contactId}::uuid, 'COMPLETED', ${JSON.stringify(context)}::jsonb, now())`;
}

/** Moves the execution of a test run to its next step. */
export async function moveRehearsal(db: SqlDb, id: string, stepId: string, joined: Json): Promise<void> {
  await db.$executeRaw`
    UPDATE "WorkflowExecution" SET "currentStepId" = ${stepId}::uuid, "context" = "context" || ${JSON.stringify(joined)}::jsonb
    WHERE "id" = ${id}::uuid`;
}
