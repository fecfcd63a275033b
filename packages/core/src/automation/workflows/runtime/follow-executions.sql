-- The entry of an execution that was stored by another statement than that of entries (dispatch.store.ts): by a worker of the version before.
-- The others have counted themselves.
CREATE FUNCTION enter_executions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "WorkflowEntry" AS n ("workflowId", "contactId", "projectId", "entries", "lastAt", "lastEventId", "active")
  SELECT DISTINCT ON (s."workflowId", s."contactId") s."workflowId", s."contactId", s."projectId", 1, s."startedAt", s."sourceEventId",
    s."status" IN ('RUNNING', 'WAITING')
  FROM stored s ORDER BY s."workflowId", s."contactId"
  ON CONFLICT ("workflowId", "contactId") DO UPDATE SET "entries" = n."entries" + 1, "lastAt" = excluded."lastAt",
    "lastEventId" = excluded."lastEventId", "active" = true
  WHERE NOT n."active" AND excluded."active";
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_entered" AFTER INSERT ON "WorkflowExecution" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION enter_executions();

-- What follows when executions change, whoever changes them: the entries of those that have ended are free, and listeners are told. Once per
-- statement, since a set changes hundreds. Entries are found by their key.
CREATE FUNCTION follow_executions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "WorkflowEntry" n SET "active" = false WHERE n.ctid = ANY(ARRAY(
    SELECT e.place FROM (
      SELECT a."workflowId", a."contactId" FROM after a JOIN before b ON b."id" = a."id"
      WHERE b."status" IN ('RUNNING', 'WAITING') AND a."status" NOT IN ('RUNNING', 'WAITING') ORDER BY 1, 2) ended
    CROSS JOIN LATERAL (
      SELECT m.ctid AS place FROM "WorkflowEntry" m WHERE m."workflowId" = ended."workflowId" AND m."contactId" = ended."contactId" FOR UPDATE) e));
  PERFORM pg_notify('postrider_live', l."projectId" || ' ' || l."topic")
  FROM "LiveListener" l
  WHERE l."expiresAt" > now() AND (l."topic" = 'executions' OR l."topic" LIKE 'execution:%')
    AND EXISTS (SELECT FROM after a WHERE a."projectId" = l."projectId" AND l."topic" IN ('executions', 'execution:' || a."id"))
  GROUP BY l."projectId", l."topic";
  RETURN NULL;
END $$;
CREATE TRIGGER "Execution_changed" AFTER UPDATE ON "WorkflowExecution" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION follow_executions();
