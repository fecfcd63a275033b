-- A version never changes (behaviour B14.1): only where its executions go on, and that one has begun with it.
CREATE FUNCTION keep_workflow_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - 'movedTo' - 'entered') IS DISTINCT FROM (to_jsonb(OLD) - 'movedTo' - 'entered') THEN
    RAISE EXCEPTION 'a version of a workflow never changes' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER "WorkflowVersion_kept" BEFORE UPDATE ON "WorkflowVersion"
  FOR EACH ROW EXECUTE FUNCTION keep_workflow_version();

-- Marks versions with which an execution has begun, so that they are kept. Only the first execution writes, so that later ones do not wait
-- for each other.
CREATE FUNCTION mark_entered_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "WorkflowVersion" v SET "entered" = true
  FROM (SELECT DISTINCT "workflowId", "version" FROM begun WHERE "version" IS NOT NULL) b
  WHERE v."workflowId" = b."workflowId" AND v."version" = b."version" AND NOT v."entered";
  RETURN NULL;
END $$;
CREATE TRIGGER "WorkflowExecution_version_entered" AFTER INSERT ON "WorkflowExecution" REFERENCING NEW TABLE AS begun
  FOR EACH STATEMENT EXECUTE FUNCTION mark_entered_versions();

-- The version that executions of a version go on by: the end of its chain of moves; null for no version.
CREATE FUNCTION version_run(workflow uuid, began int) RETURNS int LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH RECURSIVE chain("version", "movedTo") AS (
    SELECT v."version", v."movedTo" FROM "WorkflowVersion" v WHERE v."workflowId" = workflow AND v."version" = began
    UNION ALL
    SELECT v."version", v."movedTo" FROM chain c JOIN "WorkflowVersion" v ON v."workflowId" = workflow AND v."version" = c."movedTo"
  )
  SELECT "version" FROM chain WHERE "movedTo" IS NULL
$$;
