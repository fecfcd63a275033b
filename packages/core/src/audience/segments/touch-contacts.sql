-- Marks contacts whose change may move them into or out of a tracked segment. If one statement changes more contacts than that,
-- the segments are marked stale instead, because recomputing them is cheaper.
CREATE FUNCTION touch_contacts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "Segment" s WHERE s."trackMembership" AND s."type" = 'DYNAMIC'
    AND s."projectId" IN (SELECT c."projectId" FROM changed c)) THEN
    RETURN NULL;
  END IF;
  IF (SELECT count(*) FROM (SELECT FROM changed LIMIT {{manyContacts}} + 1) c) > {{manyContacts}} THEN
    UPDATE "Segment" s SET "stale" = true, "wakeSeq" = s."wakeSeq" + 1
    WHERE s."trackMembership" AND s."type" = 'DYNAMIC' AND s."projectId" IN (SELECT c."projectId" FROM changed c);
    RETURN NULL;
  END IF;
  INSERT INTO "TouchedContact" ("projectId", "contactId", "seq")
  SELECT c."projectId", c."id", nextval('"TouchSeq"') FROM changed c ORDER BY c."id"
  ON CONFLICT ("projectId", "contactId") DO UPDATE SET "seq" = EXCLUDED."seq";
  RETURN NULL;
END $$;
CREATE TRIGGER "Contact_inserted" AFTER INSERT ON "Contact" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION touch_contacts();
CREATE TRIGGER "Contact_updated" AFTER UPDATE ON "Contact" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION touch_contacts();
