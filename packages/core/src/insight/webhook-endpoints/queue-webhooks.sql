-- Deliveries of webhooks are written with the event they report, in its transaction and by triggers, so that no writer can omit them. A
-- statement of a project without an enabled endpoint pays for one look at the index of endpoints.
CREATE FUNCTION queue_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "WebhookEndpoint" w WHERE w."enabled" AND w."projectId" IN (SELECT e."projectId" FROM stored e)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "WebhookDelivery" ("id", "projectId", "endpointId", "type", "data", "eventAt", "contactId", "copyId", "origin")
  SELECT uuid7(), e."projectId", w."id", e."type",
    CASE WHEN e."type" LIKE 'email.%' THEN '{"tags": [], "metadata": {}}'::jsonb
      || jsonb_build_object('to', coalesce(m."to", ''), 'recipientType', coalesce(m."recipientType", 'TO')) ELSE '{}' END ||
    CASE jsonb_typeof(e."data") WHEN 'object' THEN e."data" ELSE '{}' END || jsonb_build_object('contact',
      CASE WHEN c."id" IS NOT NULL THEN jsonb_build_object('id', c."id", 'email', c."email", 'externalId', c."externalId") END),
    e."createdAt", c."id", CASE WHEN m."recipientType" IS NOT NULL THEN m."id" END,
    -- The id that the send answered is that of the first email of a message.
    CASE WHEN w."format" <> 'POSTRIDER' THEN jsonb_build_object('id', coalesce(m."sharedMessageId", e."emailId"), 'createdAt', m."createdAt")
      || CASE WHEN e."type" LIKE 'email.%' THEN '{}' ELSE jsonb_build_object('to', m."to", 'messageId', m."messageId",
        'from', (SELECT t."from" FROM "Content" t WHERE t."id" = m."contentId"), 'tags', m."tags", 'metadata', coalesce(m."metadata", '{}')) END
    END
  FROM (
    SELECT s."projectId", s."data", s."contactId", s."emailId", s."createdAt",
      CASE WHEN s."kind" = 'CUSTOM' THEN 'event.' || s."name"
        WHEN s."kind" = 'SYSTEM' OR s."name" = ANY({{reportedActivities}}::text[]) THEN s."name" END AS "type"
    FROM stored s
  ) e
  JOIN "WebhookEndpoint" w ON w."projectId" = e."projectId" AND w."enabled" AND w."types" && ARRAY['*', e."type"]
  LEFT JOIN "Contact" c ON c."id" = e."contactId"
  -- Events have no address: it would have to be erased from them.
  LEFT JOIN "Email" m ON m."id" = e."emailId" AND (e."type" LIKE 'email.%' OR w."format" <> 'POSTRIDER')
  WHERE e."type" IS NOT NULL AND (w."format" = 'POSTRIDER' OR (w."format"::text || ' ' || e."type" = ANY({{foreignTypes}}::text[])
    -- Other services tell of people who opt out in an email, of a refusal for good as a bounce alone, and Resend of suppressed addresses.
    AND m."id" IS NOT NULL AND NOT (e."type" = 'email.failed' AND m."bouncedAt" IS NOT NULL)
    AND NOT (w."format" = 'RESEND' AND e."type" = 'email.skipped' AND e."data" ->> 'reason' IS DISTINCT FROM 'suppressed')));
  RETURN NULL;
END $$;
CREATE TRIGGER "Event_webhooks" AFTER INSERT ON "Event" REFERENCING NEW TABLE AS stored
  FOR EACH STATEMENT EXECUTE FUNCTION queue_webhooks();
