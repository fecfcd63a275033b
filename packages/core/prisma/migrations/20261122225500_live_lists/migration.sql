CREATE OR REPLACE FUNCTION notify_live_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  project CONSTANT uuid := coalesce(NEW."projectId", OLD."projectId");
  about text;
  listed text;
BEGIN
  IF TG_TABLE_NAME = 'CampaignCounter' THEN about := 'campaign:' || NEW."campaignId"; listed := 'campaigns';
  ELSIF TG_TABLE_NAME = 'Campaign' THEN about := 'campaign:' || coalesce(NEW."id", OLD."id"); listed := 'campaigns';
  ELSIF TG_TABLE_NAME = 'Job' THEN about := 'job:' || NEW."id"; listed := 'jobs';
  ELSE about := 'execution:' || NEW."id"; listed := 'executions';
  END IF;
  PERFORM pg_notify('postrider_live', project || ' ' || l."topic")
  FROM "LiveListener" l WHERE l."projectId" = project AND l."topic" IN (about, listed) AND l."expiresAt" > now() GROUP BY l."topic";
  RETURN NULL;
END $$;
DROP TRIGGER "Campaign_live" ON "Campaign";
CREATE TRIGGER "Campaign_live" AFTER INSERT OR UPDATE OR DELETE ON "Campaign" FOR EACH ROW EXECUTE FUNCTION notify_live_record();

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

CREATE OR REPLACE FUNCTION notify_live_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('postrider_live', l."projectId" || ' ' || l."topic")
  FROM "LiveListener" l
  WHERE l."topic" LIKE 'deliveries%' AND l."expiresAt" > now() AND EXISTS (
    SELECT FROM stored d WHERE d."projectId" = l."projectId" AND l."topic" IN ('deliveries', 'deliveries:' || d."endpointId"))
  GROUP BY l."projectId", l."topic";
  RETURN NULL;
END $$;
