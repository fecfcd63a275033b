-- Tells the api processes that listen which records of a project changed. Without a listener the triggers only find an empty table, so
-- that mail and events pay nothing. A payload is `<project id> <topic>`; the topics are those of base/live/topics.ts.
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
  project CONSTANT uuid := coalesce(NEW."projectId", OLD."projectId");
  about text;
  listed text;
BEGIN
  IF TG_TABLE_NAME = 'CampaignCounter' THEN about := 'campaign:' || NEW."campaignId"; listed := 'campaigns';
  ELSIF TG_TABLE_NAME = 'Campaign' THEN about := 'campaign:' || coalesce(NEW."id", OLD."id"); listed := 'campaigns';
  ELSE about := 'job:' || NEW."id"; listed := 'jobs';
  END IF;
  PERFORM pg_notify('postrider_live', project || ' ' || l."topic")
  FROM "LiveListener" l WHERE l."projectId" = project AND l."topic" IN (about, listed) AND l."expiresAt" > now() GROUP BY l."topic";
  RETURN NULL;
END $$;
CREATE TRIGGER "CampaignCounter_live" AFTER UPDATE ON "CampaignCounter" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
CREATE TRIGGER "Campaign_live" AFTER INSERT OR UPDATE OR DELETE ON "Campaign" FOR EACH ROW EXECUTE FUNCTION notify_live_record();
CREATE TRIGGER "Job_live" AFTER UPDATE ON "Job" FOR EACH ROW EXECUTE FUNCTION notify_live_record();

-- Records that are watched as a list only, under the topic that the trigger names.
CREATE FUNCTION notify_live_list() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project CONSTANT uuid := coalesce(NEW."projectId", OLD."projectId");
BEGIN
  IF EXISTS (SELECT FROM "LiveListener" l WHERE l."projectId" = project AND l."topic" = TG_ARGV[0] AND l."expiresAt" > now()) THEN
    PERFORM pg_notify('postrider_live', project || ' ' || TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Segment_live" AFTER INSERT OR UPDATE OR DELETE ON "Segment" FOR EACH ROW EXECUTE FUNCTION notify_live_list('segments');
CREATE TRIGGER "Domain_live" AFTER INSERT OR UPDATE OR DELETE ON "Domain" FOR EACH ROW EXECUTE FUNCTION notify_live_list('domains');
CREATE TRIGGER "Workflow_live" AFTER INSERT OR UPDATE OR DELETE ON "Workflow" FOR EACH ROW EXECUTE FUNCTION notify_live_list('workflows');
CREATE TRIGGER "WorkflowDraft_live" AFTER INSERT OR UPDATE OR DELETE ON "WorkflowDraft" FOR EACH ROW EXECUTE FUNCTION notify_live_list('workflows');

-- Figures that were estimated before; one that could not be computed keeps its estimate.
CREATE TRIGGER "CachedFigure_live" AFTER UPDATE ON "CachedFigure" FOR EACH ROW
  WHEN (OLD."wantedAt" IS NOT NULL AND NEW."wantedAt" IS NULL AND NEW."estimatedAt" IS NULL) EXECUTE FUNCTION notify_live_list('figures');
CREATE TRIGGER "ProjectRemoval_live" AFTER INSERT OR UPDATE ON "ProjectRemoval" FOR EACH ROW EXECUTE FUNCTION notify_live_list('jobs');

-- Emails that are accepted, or wait for another attempt.
CREATE FUNCTION notify_live_emails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('postrider_live', l."projectId" || ' emails')
  FROM "LiveListener" l
  WHERE l."topic" = 'emails' AND l."expiresAt" > now() AND EXISTS (SELECT FROM stored b WHERE b."projectId" = l."projectId")
  GROUP BY l."projectId";
  RETURN NULL;
END $$;
CREATE TRIGGER "DeliveryBatch_live" AFTER INSERT ON "DeliveryBatch" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_emails();

CREATE FUNCTION notify_live_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('postrider_live', l."projectId" || ' ' || l."topic")
  FROM "LiveListener" l
  WHERE l."topic" LIKE 'deliveries%' AND l."expiresAt" > now() AND EXISTS (
    SELECT FROM stored d WHERE d."projectId" = l."projectId" AND l."topic" IN ('deliveries', 'deliveries:' || d."endpointId"))
  GROUP BY l."projectId", l."topic";
  RETURN NULL;
END $$;
CREATE TRIGGER "Delivery_live_added" AFTER INSERT ON "WebhookDelivery" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_deliveries();
CREATE TRIGGER "Delivery_live_changed" AFTER UPDATE ON "WebhookDelivery" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_deliveries();
