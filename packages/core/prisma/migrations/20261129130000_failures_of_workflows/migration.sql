-- Retries of failed executions, and what follows from failures.
CREATE TYPE "WorkflowDisabledReason" AS ENUM ('errors');
ALTER TABLE "Workflow" ADD COLUMN "errorBudget" BOOLEAN NOT NULL DEFAULT true, ADD COLUMN "disabledReason" "WorkflowDisabledReason",
  ADD COLUMN "enabledAt" TIMESTAMPTZ(3), ADD COLUMN "failuresToldAt" TIMESTAMPTZ(3);
-- Failures of before are no reason to disable a workflow, nor to write about.
UPDATE "Workflow" SET "enabledAt" = now(), "failuresToldAt" = now();

ALTER TABLE "WorkflowExecution" ADD COLUMN "retries" INTEGER NOT NULL DEFAULT 0, ADD COLUMN "retriedAt" TIMESTAMPTZ(3),
  ADD COLUMN "failedStepKey" TEXT;
UPDATE "WorkflowExecution" x SET "failedStepKey" = s."key" FROM "WorkflowStep" s WHERE x."status" = 'FAILED' AND s."id" = x."currentStepId";
CREATE INDEX "Execution_failed" ON "WorkflowExecution" ("workflowId", "completedAt", "id") WHERE "status" = 'FAILED';

ALTER TABLE "WorkflowStepExecution" ADD COLUMN "failures" JSONB NOT NULL DEFAULT '[]';
