-- Who may enter a workflow, by which zone, and the triggers by a date of a contact and by new contacts.
ALTER TYPE "TriggerType" ADD VALUE 'DATE';
ALTER TYPE "TriggerType" ADD VALUE 'CONTACT';

ALTER TABLE "Workflow" ADD COLUMN "alias" TEXT, ADD COLUMN "entry" JSONB NOT NULL DEFAULT '{}', ADD COLUMN "timeZone" TEXT,
  ADD COLUMN "contactSources" TEXT[] DEFAULT ARRAY[]::TEXT[], ADD COLUMN "dateField" TEXT, ADD COLUMN "datesTo" TIMESTAMPTZ(3),
  ADD COLUMN "datesAfter" JSONB, ADD COLUMN "datesZone" TEXT;
CREATE UNIQUE INDEX "Workflow_alias" ON "Workflow" ("projectId", "alias") WHERE "alias" IS NOT NULL;
CREATE INDEX "Workflow_waits_for_contacts" ON "Workflow" ("projectId") WHERE "enabled" AND ("contactSources" <> '{}' OR "dateField" IS NOT NULL);
CREATE INDEX "Workflow_dates" ON "Workflow" ("id") WHERE "enabled" AND "dateField" IS NOT NULL;

CREATE TABLE "WorkflowDue" (
  "workflowId" UUID NOT NULL,
  "contactId" UUID NOT NULL,
  "projectId" UUID NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "day" DATE,
  "source" TEXT,
  CONSTRAINT "WorkflowDue_pkey" PRIMARY KEY ("workflowId", "contactId")
);
CREATE INDEX "WorkflowDue_projectId_workflowId_at_idx" ON "WorkflowDue" ("projectId", "workflowId", "at");
CREATE INDEX "WorkflowDue_contactId_idx" ON "WorkflowDue" ("contactId");
