DROP TRIGGER "Template_storage_added" ON "Template";
DROP TRIGGER "Template_storage_removed" ON "Template";
DROP TRIGGER "Template_storage_changed" ON "Template";
DROP TRIGGER "TemplateVersion_storage_added" ON "TemplateVersion";
DROP TRIGGER "TemplateVersion_storage_removed" ON "TemplateVersion";
DROP TRIGGER "TemplateVersion_storage_changed" ON "TemplateVersion";
DROP FUNCTION enter_storage_of_template();
DROP FUNCTION enter_storage_of_templateversion();

-- What is written to be sent. The size of a design as stored is known only after the triggers of its insertion, and reading it as text takes
-- time, so that a column has the sum: an update that changes none of the texts keeps it. A function is planned for each of its triggers.
ALTER TABLE "Template" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "TemplateVersion" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "Campaign" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "SavedBlock" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("body") + coalesce(octet_length("design"::text), 0)) STORED;
CREATE FUNCTION enter_storage_of_texts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT "projectId", sum("storedBytes") AS "bytes" FROM after GROUP BY 1 HAVING sum("storedBytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT "projectId", -sum("storedBytes") AS "bytes" FROM before GROUP BY 1 HAVING sum("storedBytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", "storedBytes" AS "bytes" FROM after UNION ALL SELECT "projectId", -"storedBytes" FROM before) s
      GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Template_storage_added" AFTER INSERT ON "Template" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Template_storage_removed" AFTER DELETE ON "Template" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Template_storage_changed" AFTER UPDATE ON "Template" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "TemplateVersion_storage_added" AFTER INSERT ON "TemplateVersion" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "TemplateVersion_storage_removed" AFTER DELETE ON "TemplateVersion" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "TemplateVersion_storage_changed" AFTER UPDATE ON "TemplateVersion" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Campaign_storage_added" AFTER INSERT ON "Campaign" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Campaign_storage_removed" AFTER DELETE ON "Campaign" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "Campaign_storage_changed" AFTER UPDATE ON "Campaign" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "SavedBlock_storage_added" AFTER INSERT ON "SavedBlock" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "SavedBlock_storage_removed" AFTER DELETE ON "SavedBlock" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();
CREATE TRIGGER "SavedBlock_storage_changed" AFTER UPDATE ON "SavedBlock" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_texts();

-- What is stored already, and what triggers entered wrongly of designs that were compressed. Nothing is written in between: the tables are
-- locked until the end of this migration.
LOCK TABLE "StorageEntry", "StorageUsage" IN SHARE ROW EXCLUSIVE MODE;
DELETE FROM "StorageEntry" WHERE "kind" = 'templates';
DELETE FROM "StorageUsage" WHERE "kind" = 'templates';
INSERT INTO "StorageUsage" ("projectId", "kind", "bytes")
SELECT s."projectId", 'templates', sum(s."storedBytes") FROM (
  SELECT "projectId", "storedBytes" FROM "Template"
  UNION ALL SELECT "projectId", "storedBytes" FROM "TemplateVersion"
  UNION ALL SELECT "projectId", "storedBytes" FROM "Campaign"
  UNION ALL SELECT "projectId", "storedBytes" FROM "SavedBlock"
) s GROUP BY 1 HAVING sum(s."storedBytes") > 0;
