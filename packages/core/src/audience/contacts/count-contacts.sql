-- Contacts created and removed in a quarter of an hour, in as many rows as transactions that wrote at the same time: a row
-- that another transaction has locked is left to it, and one of its own is added.
CREATE FUNCTION add_contact_counts(project uuid, new_ones int, gone int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  quarter CONSTANT timestamptz := date_bin({{quarter}}, now(), 'epoch');
  free uuid;
BEGIN
  SELECT c."id" INTO free FROM "ContactCount" c
    WHERE c."projectId" = project AND c."at" = quarter LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE "ContactCount" c SET "created" = c."created" + new_ones, "removed" = c."removed" + gone WHERE c."id" = free;
  ELSE
    INSERT INTO "ContactCount" ("id", "projectId", "at", "created", "removed") VALUES (uuid7(), project, quarter, new_ones, gone);
  END IF;
END $$;

CREATE FUNCTION count_created_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_contact_counts(c."projectId", c.contacts, 0)
  FROM (SELECT "projectId", count(*)::int AS contacts FROM created GROUP BY 1) c;
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_created_counts" AFTER INSERT ON "Contact" REFERENCING NEW TABLE AS created
  FOR EACH STATEMENT EXECUTE FUNCTION count_created_contacts();

-- The contacts of a project that is reset are not counted: their counts are removed with them.
CREATE FUNCTION count_removed_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('postrider.uncounted', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM add_contact_counts(c."projectId", 0, c.contacts)
  FROM (SELECT "projectId", count(*)::int AS contacts FROM removed GROUP BY 1) c;
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_removed_counts" AFTER DELETE ON "Contact" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_contacts();
