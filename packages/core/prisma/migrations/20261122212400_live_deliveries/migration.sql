-- Subscriptions to the deliveries of a webhook endpoint are notified of new and changed ones; without a listener this finds an empty table.
CREATE FUNCTION notify_live_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('postrider_live', l."projectId" || ' ' || l."topic")
  FROM "LiveListener" l
  WHERE l."topic" LIKE 'deliveries:%' AND l."expiresAt" > now() AND EXISTS (
    SELECT FROM stored d WHERE d."projectId" = l."projectId" AND l."topic" = 'deliveries:' || d."endpointId")
  GROUP BY l."projectId", l."topic";
  RETURN NULL;
END $$;
CREATE TRIGGER "Delivery_live_added" AFTER INSERT ON "WebhookDelivery" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_deliveries();
CREATE TRIGGER "Delivery_live_changed" AFTER UPDATE ON "WebhookDelivery" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION notify_live_deliveries();
