-- What executions did, by workflow, step, version and outcome, in quarters of an hour: entered in the transaction that changes them, so that no
-- writer can omit it, as rows that a job adds to "StepFigure". What entries and figures add up to always equals counting the rows of executions
-- and steps, those that were deleted since included. Rows that are not "counted" are those of before there were figures.

-- How long a step took, in seconds: as people tell times, so that the rows of a step are few. It is off by at most a twentieth.
CREATE FUNCTION told_seconds(span interval) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (greatest(0, round(t.seconds / t.unit) * t.unit))::int FROM (
    SELECT s.seconds, CASE WHEN s.seconds < {{minutesFrom}} THEN {{second}} WHEN s.seconds < {{tensFrom}} THEN {{minute}}
      WHEN s.seconds < {{hoursFrom}} THEN {{tenMinutes}} WHEN s.seconds < {{daysFrom}} THEN {{hour}} ELSE {{day}} END AS unit
    FROM (SELECT extract(epoch FROM span)) s(seconds)) t
$$;

CREATE FUNCTION facts_of_step(status "StepStatus", started timestamptz, ended timestamptz, output jsonb)
RETURNS TABLE (at timestamptz, outcome text, spent int, entered int, gone int, failed int) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT date_bin({{quarter}}, f.at, 'epoch'), f.outcome, f.spent, f.entered, f.gone, f.failed
  FROM (VALUES
    (started, '', 0, 1, 0, 0),
    (CASE WHEN status = 'COMPLETED' THEN ended END, left(coalesce(output ->> 'branch', output ->> 'waitOutcome', ''), {{longestOutcome}}),
      coalesce(told_seconds(ended - started), 0), 0, 1, 0),
    (CASE WHEN status = 'FAILED' THEN ended END, '', 0, 0, 0, 1)
  ) f(at, outcome, spent, entered, gone, failed)
  WHERE f.at IS NOT NULL
$$;

CREATE FUNCTION facts_of_execution(status "ExecutionStatus", started timestamptz, ended timestamptz, reason text)
RETURNS TABLE (at timestamptz, outcome text, entered int, gone int, failed int) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT date_bin({{quarter}}, f.at, 'epoch'), f.outcome, f.entered, f.gone, f.failed
  FROM (VALUES
    (started, '', 1, 0, 0),
    (CASE WHEN status IN ('COMPLETED', 'EXITED', 'CANCELLED') THEN ended END,
      CASE WHEN status = 'EXITED' THEN left({{exitedOutcome}} || coalesce(reason, ''), {{longestOutcome}}) ELSE status::text END, 0, 1, 0),
    (CASE WHEN status = 'FAILED' THEN ended END, '', 0, 0, 1)
  ) f(at, outcome, entered, gone, failed)
  WHERE f.at IS NOT NULL
$$;

-- A step belongs to one workflow, so the execution of one of its rows tells which.
CREATE FUNCTION enter_inserted_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StepFigureEntry" ("projectId", "workflowId", "scopeId", "version", "at", "outcome", "spent", "entered", "left", "failed")
  SELECT g."projectId", x."workflowId", g."stepId", g.version, g.at, g.outcome, g.spent, g.entered, g.gone, g.failed
  FROM (
    SELECT s."projectId", s."stepId", coalesce(s."version", 0) AS version, f.at, f.outcome, f.spent, (array_agg(s."executionId"))[1] AS execution,
      sum(f.entered) AS entered, sum(f.gone) AS gone, sum(f.failed) AS failed
    FROM stored s CROSS JOIN LATERAL facts_of_step(s."status", s."startedAt", s."completedAt", s."output") f
    WHERE s."counted" GROUP BY 1, 2, 3, 4, 5, 6
  ) g CROSS JOIN LATERAL (SELECT e."workflowId" FROM "WorkflowExecution" e WHERE e."id" = g.execution OFFSET 0) x;
  RETURN NULL;
END $$;
CREATE TRIGGER "StepExecution_inserted_figures" AFTER INSERT ON "WorkflowStepExecution" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION enter_inserted_steps();

CREATE FUNCTION enter_updated_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StepFigureEntry" ("projectId", "workflowId", "scopeId", "version", "at", "outcome", "spent", "entered", "left", "failed")
  SELECT g."projectId", x."workflowId", g."stepId", g.version, g.at, g.outcome, g.spent, g.entered, g.gone, g.failed
  FROM (
    SELECT s."projectId", s."stepId", coalesce(s."version", 0) AS version, f.at, f.outcome, f.spent, (array_agg(s."executionId"))[1] AS execution,
      sum(s.sign * f.entered) AS entered, sum(s.sign * f.gone) AS gone, sum(s.sign * f.failed) AS failed
    FROM (
      SELECT 1 AS sign, "projectId", "stepId", "executionId", "version", "status", "startedAt", "completedAt", "output" FROM after WHERE "counted"
      UNION ALL
      SELECT -1, "projectId", "stepId", "executionId", "version", "status", "startedAt", "completedAt", "output" FROM before WHERE "counted"
    ) s CROSS JOIN LATERAL facts_of_step(s."status", s."startedAt", s."completedAt", s."output") f
    GROUP BY 1, 2, 3, 4, 5, 6
    HAVING (sum(s.sign * f.entered), sum(s.sign * f.gone), sum(s.sign * f.failed)) <> (0, 0, 0)
  ) g CROSS JOIN LATERAL (SELECT e."workflowId" FROM "WorkflowExecution" e WHERE e."id" = g.execution OFFSET 0) x;
  RETURN NULL;
END $$;
CREATE TRIGGER "StepExecution_updated_figures" AFTER UPDATE ON "WorkflowStepExecution" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_updated_steps();

-- Executions as a whole have their workflow as scope.
CREATE FUNCTION enter_inserted_executions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StepFigureEntry" ("projectId", "workflowId", "scopeId", "version", "at", "outcome", "entered", "left", "failed")
  SELECT x."projectId", x."workflowId", x."workflowId", coalesce(x."version", 0), f.at, f.outcome, sum(f.entered), sum(f.gone), sum(f.failed)
  FROM stored x CROSS JOIN LATERAL facts_of_execution(x."status", x."startedAt", x."completedAt", x."exitReason") f
  WHERE x."counted" GROUP BY 1, 2, 4, 5, 6;
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_inserted_figures" AFTER INSERT ON "WorkflowExecution" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION enter_inserted_executions();

CREATE FUNCTION enter_updated_executions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StepFigureEntry" ("projectId", "workflowId", "scopeId", "version", "at", "outcome", "entered", "left", "failed")
  SELECT x."projectId", x."workflowId", x."workflowId", coalesce(x."version", 0), f.at, f.outcome, sum(x.sign * f.entered), sum(x.sign * f.gone),
    sum(x.sign * f.failed)
  FROM (
    SELECT 1 AS sign, "projectId", "workflowId", "version", "status", "startedAt", "completedAt", "exitReason" FROM after WHERE "counted"
    UNION ALL
    SELECT -1, "projectId", "workflowId", "version", "status", "startedAt", "completedAt", "exitReason" FROM before WHERE "counted"
  ) x CROSS JOIN LATERAL facts_of_execution(x."status", x."startedAt", x."completedAt", x."exitReason") f
  GROUP BY 1, 2, 4, 5, 6
  HAVING (sum(x.sign * f.entered), sum(x.sign * f.gone), sum(x.sign * f.failed)) <> (0, 0, 0);
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_updated_figures" AFTER UPDATE ON "WorkflowExecution" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_updated_executions();
