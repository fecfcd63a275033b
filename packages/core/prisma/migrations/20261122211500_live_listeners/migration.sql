CREATE TABLE "LiveListener" (
    "projectId" UUID NOT NULL,
    "topic" TEXT NOT NULL,
    "hubId" UUID NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LiveListener_pkey" PRIMARY KEY ("projectId","topic","hubId")
);

-- Tells the api processes that listen which records of a project changed. Without a listener the triggers only find an empty table, so
-- that mail and events pay nothing. A payload is `<project id> <topic>`; the topics are those of live/topics.ts.
CREATE FUNCTION notify_live_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('postrider_live', l."projectId" || ' activity')
  FROM "LiveListener" l
  WHERE l."topic" = 'activity' AND l."expiresAt" > now() AND EXISTS (SELECT FROM stored e WHERE e."projectId" = l."projectId")
  GROUP BY l."projectId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_live" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_events();

CREATE FUNCTION notify_live_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  about text;
BEGIN
  IF TG_TABLE_NAME = 'CampaignCounter' THEN about := 'campaign:' || NEW."campaignId";
  ELSIF TG_TABLE_NAME = 'Campaign' THEN about := 'campaign:' || NEW."id";
  ELSIF TG_TABLE_NAME = 'Job' THEN about := 'job:' || NEW."id";
  ELSE about := 'execution:' || NEW."id";
  END IF;
  IF EXISTS (SELECT FROM "LiveListener" l WHERE l."projectId" = NEW."projectId" AND l."topic" = about AND l."expiresAt" > now()) THEN
    PERFORM pg_notify('postrider_live', NEW."projectId" || ' ' || about);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "CampaignCounter_live" AFTER UPDATE ON "CampaignCounter" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
CREATE TRIGGER "Campaign_live" AFTER UPDATE ON "Campaign" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
CREATE TRIGGER "Job_live" AFTER UPDATE ON "Job" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
CREATE TRIGGER "Execution_live" AFTER UPDATE ON "WorkflowExecution" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
