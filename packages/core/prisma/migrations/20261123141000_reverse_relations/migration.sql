-- emails of a template, and of an execution of a workflow
CREATE INDEX "Email_template" ON "Email" ("projectId", "templateId", "createdAt") WHERE "templateId" IS NOT NULL;
CREATE INDEX "Email_execution" ON "Email" ("workflowExecutionId") WHERE "workflowExecutionId" IS NOT NULL;
-- executions that an event started
CREATE INDEX "Execution_source_event" ON "WorkflowExecution" ("sourceEventId") WHERE "sourceEventId" IS NOT NULL;
