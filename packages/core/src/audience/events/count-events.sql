-- Events with a name on a day (UTC), without those of the activity feed only: a row that another transaction has locked is left to it, and one of its own is added.
CREATE FUNCTION add_event_count(project uuid, event text, on_day date, difference int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  free uuid;
  total int;
BEGIN
  SELECT c."id" INTO free FROM "EventCount" c
    WHERE c."projectId" = project AND c."name" = event AND c."day" = on_day LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE "EventCount" c SET "count" = c."count" + difference WHERE c."id" = free RETURNING c."count" INTO total;
    IF total = 0 THEN
      DELETE FROM "EventCount" c WHERE c."id" = free;
    END IF;
  ELSE
    INSERT INTO "EventCount" ("id", "projectId", "name", "day", "count") VALUES (uuid7(), project, event, on_day, difference);
  END IF;
END $$;

CREATE FUNCTION count_stored_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_event_count(e."projectId", e."name", e.on_day, e.events)
  FROM (SELECT "projectId", "name", ("createdAt" AT TIME ZONE 'UTC')::date AS on_day, count(*)::int AS events FROM stored
    WHERE "kind" <> 'ACTIVITY' GROUP BY 1, 2, 3) e;
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_stored_counts" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored_events();

CREATE FUNCTION count_removed_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_event_count(e."projectId", e."name", e.on_day, -e.events)
  FROM (SELECT "projectId", "name", ("createdAt" AT TIME ZONE 'UTC')::date AS on_day, count(*)::int AS events FROM removed
    WHERE "kind" <> 'ACTIVITY' GROUP BY 1, 2, 3) e;
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_removed_counts" AFTER DELETE ON "Event" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_events();
