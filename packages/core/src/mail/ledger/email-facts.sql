-- What every event of an email says (behaviour B6.1). `own_subject` and `message_id` are null until the email has its own.
CREATE FUNCTION email_facts(email uuid, own_subject text, message_id text, template uuid, campaign uuid, source "EmailSource", content uuid)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('emailId', email, 'subject', coalesce(own_subject, c."subject"), 'from', c."from", 'fromName', c."fromName",
    'messageId', coalesce(message_id, '<' || email || '@' || split_part(c."from", '@', 2) || '>'), 'templateId', template,
    'campaignId', campaign, 'sourceType', source)
  FROM "Content" c WHERE c."id" = content
$$;

-- What its request said of an email, as far as events have it: nothing where there is nothing.
CREATE FUNCTION email_labels(tags text[], metadata jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN tags IS NULL AND metadata IS NULL THEN '{}'::jsonb
    ELSE jsonb_strip_nulls(jsonb_build_object('tags', to_jsonb(tags), 'metadata', metadata)) END
$$;

-- An email that is not sent from the start: its address is suppressed, or a cap is used up. A trigger, so that no way to accept email can omit
-- the event. Freezing an audience, which writes many of them at once, writes their events itself.
CREATE FUNCTION tell_unsent_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "Event" ("id", "projectId", "kind", "name", "data", "contactId", "emailId")
  VALUES (uuid7(), NEW."projectId", 'ACTIVITY', CASE NEW."status" WHEN 'FAILED' THEN {{failed}} ELSE {{skipped}} END,
    email_facts(NEW."id", NEW."subject", NEW."messageId", NEW."templateId", NEW."campaignId", NEW."sourceType", NEW."contentId")
      || email_labels(NEW."tags", NEW."metadata") || jsonb_build_object('error', NEW."error", 'reason', NEW."reason")
      || CASE NEW."status" WHEN 'FAILED' THEN '{"failureClass": null}'::jsonb ELSE '{}' END,
    -- What is told of a copy is told of no contact.
    CASE WHEN NEW."recipientType" IS NULL THEN NEW."contactId" END, NEW."id");
  RETURN NULL;
END $$;
CREATE TRIGGER "Email_unsent" AFTER INSERT ON "Email" FOR EACH ROW
  WHEN (NEW."status" IN ('FAILED', 'SKIPPED') AND NEW."campaignId" IS NULL AND NEW."sourceType" NOT IN ('TEST', 'SYSTEM'))
  EXECUTE FUNCTION tell_unsent_email();
