-- Deliveries of webhooks are written with the event they report, in its transaction and by triggers, so that no writer can omit them. A
-- statement of a project without an enabled endpoint pays for one look at the index of endpoints.
CREATE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "WebhookEndpoint" w WHERE w."enabled" AND w."projectId" IN (SELECT e."projectId" FROM stored e)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "WebhookDelivery" ("id", "projectId", "endpointId", "type", "data", "eventAt", "contactId")
  SELECT uuid7(), e."projectId", w."id", e."type",
    CASE jsonb_typeof(e."data") WHEN 'object' THEN e."data" ELSE '{}' END || jsonb_build_object('contact',
      CASE WHEN c."id" IS NOT NULL THEN jsonb_build_object('id', c."id", 'email', c."email") END),
    e."createdAt", c."id"
  FROM (
    SELECT s."projectId", s."data", s."contactId", s."createdAt",
      CASE WHEN s."kind" = 'CUSTOM' THEN 'event.' || s."name"
        WHEN s."kind" = 'SYSTEM' OR s."name" IN ('email.failed', 'email.skipped', 'campaign.sent', 'workflow.completed') THEN s."name" END AS "type"
    FROM stored s
  ) e
  JOIN "WebhookEndpoint" w ON w."projectId" = e."projectId" AND w."enabled" AND w."types" && ARRAY['*', e."type"]
  LEFT JOIN "Contact" c ON c."id" = e."contactId"
  WHERE e."type" IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_webhooks" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION queue_webhooks();

-- Queues what is reported to webhook endpoints only: these changes are no events, since the activity feed shows every event.
CREATE FUNCTION queue_webhook(project uuid, event_type text, event_data jsonb, contact uuid) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "WebhookDelivery" ("id", "projectId", "endpointId", "type", "data", "contactId")
  SELECT uuid7(), project, w."id", event_type,
    event_data || jsonb_build_object('contact', CASE WHEN c."id" IS NOT NULL THEN jsonb_build_object('id', c."id", 'email', c."email") END),
    c."id"
  FROM "WebhookEndpoint" w LEFT JOIN "Contact" c ON c."id" = contact
  WHERE w."projectId" = project AND w."enabled" AND w."types" && ARRAY['*', event_type]
$$;

CREATE FUNCTION report_domain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhook(NEW."projectId", CASE WHEN NEW."status" = 'VERIFIED' THEN 'domain.verified' ELSE 'domain.lost' END,
    jsonb_build_object('domainId', NEW."id", 'domain', NEW."domain", 'status', NEW."status"), NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER "Domain_webhooks" AFTER UPDATE OF "status" ON "Domain" FOR EACH ROW
  WHEN (OLD."status" <> NEW."status" AND (OLD."status" = 'VERIFIED' OR NEW."status" = 'VERIFIED')) EXECUTE FUNCTION report_domain();

CREATE FUNCTION report_disabled_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhook(NEW."id", 'project.disabled',
    jsonb_build_object('projectId', NEW."id", 'projectName', NEW."name", 'reason', NEW."disabledReason"), NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER "Project_webhooks" AFTER UPDATE OF "disabled" ON "Project" FOR EACH ROW
  WHEN (NEW."disabled" AND NOT OLD."disabled") EXECUTE FUNCTION report_disabled_project();

CREATE FUNCTION report_cancelled_campaign() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhook(NEW."projectId", 'campaign.cancelled',
    jsonb_build_object('campaignId', NEW."id", 'campaignName', NEW."name", 'subject', NEW."subject", 'reason', NEW."statusReason",
      'totalRecipients', NEW."totalRecipients"), NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER "Campaign_webhooks" AFTER UPDATE OF "status" ON "Campaign" FOR EACH ROW
  WHEN (NEW."status" = 'CANCELLED' AND OLD."status" <> 'CANCELLED') EXECUTE FUNCTION report_cancelled_campaign();

CREATE FUNCTION report_uncertain_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_webhook(NEW."projectId", 'email.uncertain',
    jsonb_build_object('emailId', NEW."id", 'subject', coalesce(NEW."subject", c."subject"), 'from', c."from", 'fromName', c."fromName",
      'messageId', coalesce(NEW."messageId", '<' || NEW."id" || '@' || split_part(c."from", '@', 2) || '>'), 'templateId', NEW."templateId",
      'campaignId', NEW."campaignId", 'sourceType', NEW."sourceType", 'error', NEW."error"), NEW."contactId")
  FROM "Content" c WHERE c."id" = NEW."contentId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_webhooks" AFTER UPDATE OF "status" ON "Email" FOR EACH ROW
  WHEN (NEW."status" = 'UNCERTAIN' AND OLD."status" <> 'UNCERTAIN' AND NEW."sourceType" NOT IN ('TEST', 'SYSTEM'))
  EXECUTE FUNCTION report_uncertain_email();
