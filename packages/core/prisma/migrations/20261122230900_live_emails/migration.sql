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
CREATE TRIGGER "ProjectRemoval_live" AFTER INSERT OR UPDATE ON "ProjectRemoval" FOR EACH ROW EXECUTE FUNCTION notify_live_list('jobs');
