ALTER TABLE "EventDispatch" ADD COLUMN "seq" BIGSERIAL NOT NULL;
ALTER TABLE "Workflow" ADD COLUMN "triggersAfter" BIGINT;
ALTER TABLE "WorkflowStepExecution" ADD COLUMN "eventsAfter" BIGINT;
