-- What executions did, by workflow, step, version and outcome, in quarters of an hour: entered in the transaction that changes them, so that no
-- writer can omit it, as rows that a job adds to "StepFigure". What entries and figures add up to always equals counting the rows of executions
-- and steps, those that were deleted since included. Rows that are not "counted" are those of before there were figures.

-- How long a step took, in seconds: as people tell times, so that the rows of a step are few. It is off by at most a twentieth.
CREATE FUNCTION told_seconds(seconds numeric) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (greatest(0, round(seconds / u.unit) * u.unit))::int FROM (
    SELECT CASE WHEN seconds < {{minutesFrom}} THEN {{second}} WHEN seconds < {{tensFrom}} THEN {{minute}}
      WHEN seconds < {{hoursFrom}} THEN {{tenMinutes}} WHEN seconds < {{daysFrom}} THEN {{hour}} ELSE {{day}} END) u(unit)
$$;

-- The outcome by which a step was completed, or '' for none.
CREATE FUNCTION outcome_of_step(status "StepStatus", output jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN status = 'COMPLETED' THEN left(coalesce(output ->> 'branch', output ->> 'waitOutcome', ''), {{longestOutcome}}) ELSE '' END
$$;

-- Rows that are alike are one before anything is asked of them, since a set writes hundreds. A step belongs to one workflow, so the execution of
-- one of its rows tells which.
CREATE FUNCTION enter_inserted_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StepFigureEntry" ("projectId", "workflowId", "scopeId", "version", "at", "outcome", "spent", "entered", "left", "failed")
  SELECT g."projectId", x."workflowId", g."stepId", g.version, g.at, g.outcome, g.spent, g.entered, g.gone, g.failed
  FROM (
    SELECT s."projectId", s."stepId", s.version, f.at, f.outcome, f.spent, min(s.executions[1]::text)::uuid AS execution,
      sum(s.number * f.entered) AS entered, sum(s.number * f.gone) AS gone, sum(s.number * f.failed) AS failed
    FROM (
      SELECT "projectId", "stepId", coalesce("version", 0) AS version, "status", date_bin({{quarter}}, "startedAt", 'epoch') AS started,
        date_bin({{quarter}}, "completedAt", 'epoch') AS ended, outcome_of_step("status", "output") AS outcome,
        round(extract(epoch FROM "completedAt" - "startedAt")) AS seconds, array_agg("executionId") AS executions, count(*) AS number
      FROM stored WHERE "counted" GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ) s CROSS JOIN LATERAL (VALUES (s.started, '', 0, 1, 0, 0),
      (CASE WHEN s."status" = 'COMPLETED' THEN s.ended END, s.outcome, coalesce(told_seconds(s.seconds), 0), 0, 1, 0),
      (CASE WHEN s."status" = 'FAILED' THEN s.ended END, '', 0, 0, 0, 1)) f(at, outcome, spent, entered, gone, failed)
    WHERE f.at IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
  ) g CROSS JOIN LATERAL (SELECT e."workflowId" FROM "WorkflowExecution" e WHERE e."id" = g.execution OFFSET 0) x;
  RETURN NULL;
END $$;
CREATE TRIGGER "StepExecution_inserted_figures" AFTER INSERT ON "WorkflowStepExecution" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION enter_inserted_steps();

-- The same for what rows are after a statement and were before it: what they have in common is no change.
CREATE FUNCTION enter_updated_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StepFigureEntry" ("projectId", "workflowId", "scopeId", "version", "at", "outcome", "spent", "entered", "left", "failed")
  SELECT g."projectId", x."workflowId", g."stepId", g.version, g.at, g.outcome, g.spent, g.entered, g.gone, g.failed
  FROM (
    SELECT s."projectId", s."stepId", s.version, f.at, f.outcome, f.spent, min(s.executions[1]::text)::uuid AS execution,
      sum(s.number * f.entered) AS entered, sum(s.number * f.gone) AS gone, sum(s.number * f.failed) AS failed
    FROM (
      SELECT "projectId", "stepId", coalesce("version", 0) AS version, "status", date_bin({{quarter}}, "startedAt", 'epoch') AS started,
        date_bin({{quarter}}, "completedAt", 'epoch') AS ended, outcome_of_step("status", "output") AS outcome,
        round(extract(epoch FROM "completedAt" - "startedAt")) AS seconds, array_agg("executionId") AS executions, sum(sign) AS number
      FROM (
        SELECT 1 AS sign, "projectId", "stepId", "executionId", "version", "status", "startedAt", "completedAt", "output" FROM after WHERE "counted"
        UNION ALL
        SELECT -1, "projectId", "stepId", "executionId", "version", "status", "startedAt", "completedAt", "output" FROM before WHERE "counted"
      ) changed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(sign) <> 0
    ) s CROSS JOIN LATERAL (VALUES (s.started, '', 0, 1, 0, 0),
      (CASE WHEN s."status" = 'COMPLETED' THEN s.ended END, s.outcome, coalesce(told_seconds(s.seconds), 0), 0, 1, 0),
      (CASE WHEN s."status" = 'FAILED' THEN s.ended END, '', 0, 0, 0, 1)) f(at, outcome, spent, entered, gone, failed)
    WHERE f.at IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
    HAVING (sum(s.number * f.entered), sum(s.number * f.gone), sum(s.number * f.failed)) <> (0, 0, 0)
  ) g CROSS JOIN LATERAL (SELECT e."workflowId" FROM "WorkflowExecution" e WHERE e."id" = g.execution OFFSET 0) x;
  RETURN NULL;
END $$;
CREATE TRIGGER "StepExecution_updated_figures" AFTER UPDATE ON "WorkflowStepExecution" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_updated_steps();

-- What became of an execution that ended otherwise than by a failure, or '' for none.
CREATE FUNCTION outcome_of_execution(status "ExecutionStatus", reason text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE status WHEN 'EXITED' THEN left({{exitedOutcome}} || coalesce(reason, ''), {{longestOutcome}}) WHEN 'COMPLETED' THEN 'COMPLETED'
    WHEN 'CANCELLED' THEN 'CANCELLED' ELSE '' END
$$;

-- Executions as a whole have their workflow as scope.
CREATE FUNCTION enter_inserted_executions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StepFigureEntry" ("projectId", "workflowId", "scopeId", "version", "at", "outcome", "entered", "left", "failed")
  SELECT x."projectId", x."workflowId", x."workflowId", x.version, f.at, f.outcome, sum(x.number * f.entered), sum(x.number * f.gone),
    sum(x.number * f.failed)
  FROM (
    SELECT "projectId", "workflowId", coalesce("version", 0) AS version, "status" = 'FAILED' AS failed,
      outcome_of_execution("status", "exitReason") AS outcome, date_bin({{quarter}}, "startedAt", 'epoch') AS started,
      date_bin({{quarter}}, "completedAt", 'epoch') AS ended, count(*) AS number
    FROM stored WHERE "counted" GROUP BY 1, 2, 3, 4, 5, 6, 7
  ) x CROSS JOIN LATERAL (VALUES (x.started, '', 1, 0, 0), (CASE WHEN x.outcome <> '' THEN x.ended END, x.outcome, 0, 1, 0),
    (CASE WHEN x.failed THEN x.ended END, '', 0, 0, 1)) f(at, outcome, entered, gone, failed)
  WHERE f.at IS NOT NULL GROUP BY 1, 2, 4, 5, 6;
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_inserted_figures" AFTER INSERT ON "WorkflowExecution" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION enter_inserted_executions();

CREATE FUNCTION enter_updated_executions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "StepFigureEntry" ("projectId", "workflowId", "scopeId", "version", "at", "outcome", "entered", "left", "failed")
  SELECT x."projectId", x."workflowId", x."workflowId", x.version, f.at, f.outcome, sum(x.number * f.entered), sum(x.number * f.gone),
    sum(x.number * f.failed)
  FROM (
    SELECT "projectId", "workflowId", coalesce("version", 0) AS version, "status" = 'FAILED' AS failed,
      outcome_of_execution("status", "exitReason") AS outcome, date_bin({{quarter}}, "startedAt", 'epoch') AS started,
      date_bin({{quarter}}, "completedAt", 'epoch') AS ended, sum(sign) AS number
    FROM (
      SELECT 1 AS sign, "projectId", "workflowId", "version", "status", "exitReason", "startedAt", "completedAt" FROM after WHERE "counted"
      UNION ALL
      SELECT -1, "projectId", "workflowId", "version", "status", "exitReason", "startedAt", "completedAt" FROM before WHERE "counted"
    ) changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(sign) <> 0
  ) x CROSS JOIN LATERAL (VALUES (x.started, '', 1, 0, 0), (CASE WHEN x.outcome <> '' THEN x.ended END, x.outcome, 0, 1, 0),
    (CASE WHEN x.failed THEN x.ended END, '', 0, 0, 1)) f(at, outcome, entered, gone, failed)
  WHERE f.at IS NOT NULL GROUP BY 1, 2, 4, 5, 6
  HAVING (sum(x.number * f.entered), sum(x.number * f.gone), sum(x.number * f.failed)) <> (0, 0, 0);
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_updated_figures" AFTER UPDATE ON "WorkflowExecution" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_updated_executions();
