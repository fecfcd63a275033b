-- Executions advance in sets. Workers of the version before may run beside those of this one: the columns that they read are still written.
ALTER TABLE "Workflow" ADD COLUMN "cancelledAt" TIMESTAMPTZ(3), ADD COLUMN "cancelling" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "Workflow_cancelling" ON "Workflow" ("id") WHERE "cancelling";

ALTER TABLE "WorkflowExecution" ADD COLUMN "dueAt" TIMESTAMPTZ(3), ADD COLUMN "anchorAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  ADD COLUMN "anchorEventId" UUID, ADD COLUMN "lostTurns" SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE "WorkflowExecution" ALTER COLUMN "dueAt" SET DEFAULT CURRENT_TIMESTAMP;

-- The result of a request that a worker of the version before makes at this moment is lost; the request is made again.
UPDATE "WorkflowExecution" x SET "dueAt" = CASE WHEN x."wakeSeq" > x."seenSeq" OR x."status" = 'RUNNING' THEN now() ELSE x."resumeAt" END,
  "anchorAt" = coalesce((SELECT s."startedAt" FROM "WorkflowStepExecution" s
    WHERE s."executionId" = x."id" AND s."stepId" = x."currentStepId" AND s."status" = 'WAITING'), now())
WHERE x."status" IN ('RUNNING', 'WAITING');

CREATE TABLE "WorkflowEntry" (
  "workflowId" UUID NOT NULL,
  "contactId" UUID NOT NULL,
  "projectId" UUID NOT NULL,
  "entries" INTEGER NOT NULL,
  "lastAt" TIMESTAMPTZ(3) NOT NULL,
  "lastEventId" UUID,
  "occurrence" DATE,
  "active" BOOLEAN NOT NULL,
  CONSTRAINT "WorkflowEntry_pkey" PRIMARY KEY ("workflowId", "contactId")
) WITH (fillfactor = 80);
INSERT INTO "WorkflowEntry" ("workflowId", "contactId", "projectId", "entries", "lastAt", "lastEventId", "active")
SELECT "workflowId", "contactId", (array_agg("projectId"))[1], count(*)::int, max("startedAt"),
  (array_agg("sourceEventId" ORDER BY "startedAt" DESC))[1], bool_or("status" IN ('RUNNING', 'WAITING'))
FROM "WorkflowExecution" GROUP BY "workflowId", "contactId";
CREATE INDEX "WorkflowEntry_projectId_contactId_idx" ON "WorkflowEntry" ("projectId", "contactId");

CREATE TABLE "StepRequest" (
  "stepExecutionId" UUID NOT NULL,
  "executionId" UUID NOT NULL,
  "projectId" UUID NOT NULL,
  "host" TEXT NOT NULL,
  "request" JSONB NOT NULL,
  "attempt" INTEGER NOT NULL DEFAULT 0,
  "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "token" UUID,
  "leaseUntil" TIMESTAMPTZ(3),
  CONSTRAINT "StepRequest_pkey" PRIMARY KEY ("stepExecutionId")
) WITH (fillfactor = 50);
CREATE INDEX "StepRequest_host_dueAt_idx" ON "StepRequest" ("host", "dueAt");
CREATE INDEX "StepRequest_executionId_idx" ON "StepRequest" ("executionId");
CREATE INDEX "StepRequest_projectId_idx" ON "StepRequest" ("projectId");

-- Every write of a set pays for every index.
DROP INDEX "Execution_unseen", "Execution_due", "Execution_event_once", "Execution_active_once", "Execution_single_entry", "Execution_waiting",
  "Execution_upcoming", "WorkflowExecution_projectId_workflowId_createdAt_idx", "WorkflowExecution_projectId_contactId_idx";
CREATE INDEX "Execution_queue" ON "WorkflowExecution" ((get_byte(uuid_send("projectId"), 15) & 15), "projectId", "workflowId", "dueAt", "id")
  WHERE "dueAt" IS NOT NULL;
CREATE UNIQUE INDEX "Execution_active" ON "WorkflowExecution" ("contactId", "workflowId") WHERE "status" IN ('RUNNING', 'WAITING');
CREATE INDEX "WorkflowExecution_projectId_workflowId_createdAt_id_idx" ON "WorkflowExecution" ("projectId", "workflowId", "createdAt", "id");
CREATE INDEX "WorkflowExecution_projectId_contactId_createdAt_idx" ON "WorkflowExecution" ("projectId", "contactId", "createdAt");
ALTER TABLE "WorkflowExecution" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE "WorkflowStepExecution" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
