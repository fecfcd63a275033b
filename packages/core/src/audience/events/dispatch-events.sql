-- The event queue: stores an EventDispatch row with every event that something waits for, and a ReputationCheck row for projects with a
-- bounce, a complaint or a refusal that is about the sender. A trigger, so that no writer can omit it; it runs once per statement.
CREATE FUNCTION dispatch_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "EventDispatch" ("eventId", "projectId")
  SELECT e."id", e."projectId" FROM stored e
  WHERE e."kind" <> 'ACTIVITY' AND e."contactId" IS NOT NULL
    AND EXISTS (SELECT FROM "EventInterest" i WHERE i."projectId" = e."projectId" AND i."name" = e."name");
  INSERT INTO "ReputationCheck" ("projectId", "seq")
  SELECT p."projectId", nextval('"TouchSeq"') FROM (
    SELECT DISTINCT e."projectId" FROM stored e WHERE (e."kind" = 'SYSTEM' AND e."name" = ANY({{judged}}::text[]))
      OR (e."name" = {{failed}} AND e."data" ->> 'failureClass' = ANY({{refusals}}::text[]))
    ORDER BY e."projectId") p
  ON CONFLICT ("projectId") DO UPDATE SET "seq" = EXCLUDED."seq";
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_dispatch" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION dispatch_events();
