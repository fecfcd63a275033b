-- Goals, what they count, and what they and exit rules do to executions of workflows.
CREATE TYPE "GoalAttribution" AS ENUM ('CLICK', 'OPEN', 'SENT');

CREATE TABLE "Goal" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "eventName" TEXT NOT NULL,
    "conditions" JSONB NOT NULL DEFAULT '[]',
    "valueProperty" TEXT,
    "valueCurrency" TEXT,
    "attribution" "GoalAttribution" NOT NULL DEFAULT 'CLICK',
    "windowDays" SMALLINT NOT NULL DEFAULT 7,
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "deletedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Goal_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "Goal_projectId_createdAt_id_idx" ON "Goal"("projectId", "createdAt", "id");
CREATE UNIQUE INDEX "Goal_name" ON "Goal" ("projectId", "name") WHERE NOT "archived" AND "deletedAt" IS NULL;
CREATE INDEX "Goal_deleted" ON "Goal" ("id") WHERE "deletedAt" IS NOT NULL;
ALTER TABLE "Goal" ADD CONSTRAINT "Goal_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "Conversion" (
    "id" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "goalId" UUID NOT NULL,
    "eventId" UUID NOT NULL,
    "contactId" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "value" DOUBLE PRECISION,
    "emailId" UUID,
    "campaignId" UUID,
    "workflowId" UUID,

    CONSTRAINT "Conversion_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "Conversion_projectId_goalId_at_idx" ON "Conversion"("projectId", "goalId", "at");
CREATE UNIQUE INDEX "Conversion_goalId_eventId_key" ON "Conversion"("goalId", "eventId");
CREATE INDEX "Conversion_contact" ON "Conversion" ("contactId") WHERE "contactId" IS NOT NULL;

CREATE TABLE "ExecutionConversion" (
    "goalId" UUID NOT NULL,
    "executionId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "workflowId" UUID NOT NULL,
    "eventId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "value" DOUBLE PRECISION,

    CONSTRAINT "ExecutionConversion_pkey" PRIMARY KEY ("goalId","executionId")
);
CREATE INDEX "ExecutionConversion_executionId_idx" ON "ExecutionConversion"("executionId");
CREATE INDEX "ExecutionConversion_projectId_idx" ON "ExecutionConversion"("projectId");

ALTER TABLE "Workflow" ADD COLUMN "goals" JSONB NOT NULL DEFAULT '[]', ADD COLUMN "exits" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "WorkflowVersion" ADD COLUMN "ends" TEXT[] DEFAULT ARRAY[]::TEXT[];
CREATE INDEX "WorkflowVersion_ends" ON "WorkflowVersion" ("projectId") WHERE "ends" <> '{}';
ALTER TABLE "WorkflowExecution" ADD COLUMN "beganAt" TIMESTAMPTZ(3), ADD COLUMN "heldOut" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "drawnShare" DOUBLE PRECISION, ADD COLUMN "endedBy" JSONB;
