-- The activity feed shows when executions of workflows start and end. Triggers write it, so that no way to start or end one can omit it.
CREATE FUNCTION record_started_executions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId")
  SELECT uuid7(), s."projectId", 'ACTIVITY', 'workflow.started',
    jsonb_build_object('workflowId', s."workflowId", 'workflowName', w."name", 'executionId', s."id", 'status', s."status", 'exitReason', NULL),
    s."contactId"
  FROM started s JOIN "Workflow" w ON w."id" = s."workflowId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_started" AFTER INSERT ON "WorkflowExecution" REFERENCING NEW TABLE AS started
  FOR EACH STATEMENT EXECUTE FUNCTION record_started_executions();

-- Most updates of an execution do not end it, so this trigger is one for rows: its condition costs those nothing.
CREATE FUNCTION record_ended_execution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId")
  SELECT uuid7(), NEW."projectId", 'ACTIVITY', 'workflow.completed',
    jsonb_build_object('workflowId', w."id", 'workflowName', w."name", 'executionId', NEW."id", 'status', NEW."status",
      'exitReason', NEW."exitReason"),
    NEW."contactId"
  FROM "Workflow" w WHERE w."id" = NEW."workflowId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_ended" AFTER UPDATE OF "status" ON "WorkflowExecution" FOR EACH ROW
  WHEN (OLD."status" IN ('RUNNING', 'WAITING') AND NEW."status" NOT IN ('RUNNING', 'WAITING'))
  EXECUTE FUNCTION record_ended_execution();
