-- What waits for contacts by their creation or by a date of theirs (behaviour B14.5). It is here that it is noticed, because contacts have many
-- writers, and it waits in `WorkflowDue` with the contact, in one transaction.

-- New contacts enter the workflows that take those of their source, which the writer names in `postrider.contact_source`; one that names none is a
-- request. Those with a date have their next occurrence looked for.
CREATE FUNCTION follow_new_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  named text := coalesce(nullif(current_setting('postrider.contact_source', true), ''), 'api');
BEGIN
  IF NOT EXISTS (SELECT FROM "Workflow" w WHERE w."enabled" AND (w."contactSources" <> '{}' OR w."dateField" IS NOT NULL)
    AND w."projectId" IN (SELECT c."projectId" FROM created c)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "WorkflowDue" ("workflowId", "contactId", "projectId", "at", "source")
  SELECT w."id", c."id", c."projectId", clock_timestamp(), CASE WHEN named = ANY(w."contactSources") THEN named END
  FROM created c JOIN "Workflow" w ON w."projectId" = c."projectId" AND w."enabled"
    AND (named = ANY(w."contactSources") OR c."data" ? w."dateField")
  ORDER BY w."id", c."id"
  ON CONFLICT ("workflowId", "contactId") DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_entering" AFTER INSERT ON "Contact" REFERENCING NEW TABLE AS created
  FOR EACH STATEMENT EXECUTE FUNCTION follow_new_contacts();

-- A date or a zone may have changed: the next occurrence is looked for anew, from this moment on; where nothing of it has changed, it is the same.
-- What is due already stays. The rows of before are not looked at: to keep them for this trigger would cost every change of contacts.
CREATE FUNCTION follow_dates() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "Workflow" w WHERE w."enabled" AND w."dateField" IS NOT NULL
    AND w."projectId" IN (SELECT c."projectId" FROM changed c)) THEN
    RETURN NULL;
  END IF;
  INSERT INTO "WorkflowDue" AS d ("workflowId", "contactId", "projectId", "at")
  SELECT w."id", c."id", c."projectId", clock_timestamp()
  FROM changed c JOIN "Workflow" w ON w."projectId" = c."projectId" AND w."enabled" AND w."dateField" IS NOT NULL
  WHERE c."data" ? w."dateField" OR EXISTS (SELECT FROM "WorkflowDue" o WHERE o."workflowId" = w."id" AND o."contactId" = c."id")
  ORDER BY w."id", c."id"
  ON CONFLICT ("workflowId", "contactId") DO UPDATE SET "at" = excluded."at", "day" = NULL WHERE d."at" > excluded."at";
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_dates" AFTER UPDATE ON "Contact" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION follow_dates();
