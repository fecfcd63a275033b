-- Enters what a statement stores or removes of the storage of projects (behaviour B8.7), once per project. `octet_length` reads no byte of a
-- value: the length is in its header. One function for each table, so that its statements are planned once.
CREATE FUNCTION enter_storage_of_upload() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'images', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", ("size"::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'images', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -("size"::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'images', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", ("size"::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -("size"::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Upload_storage_added" AFTER INSERT ON "Upload" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_upload();
CREATE TRIGGER "Upload_storage_removed" AFTER DELETE ON "Upload" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_upload();
CREATE TRIGGER "Upload_storage_changed" AFTER UPDATE ON "Upload" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_upload();

CREATE FUNCTION enter_storage_of_blob() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'attachments', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", (CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'attachments', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -(CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'attachments', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", (CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -(CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Blob_storage_added" AFTER INSERT ON "Blob" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_blob();
CREATE TRIGGER "Blob_storage_removed" AFTER DELETE ON "Blob" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_blob();
CREATE TRIGGER "Blob_storage_changed" AFTER UPDATE ON "Blob" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_blob();

CREATE FUNCTION enter_storage_of_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'contents', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", ((octet_length("subject") + coalesce(octet_length("body"), 0) + coalesce(octet_length("text"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'contents', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -((octet_length("subject") + coalesce(octet_length("body"), 0) + coalesce(octet_length("text"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'contents', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", ((octet_length("subject") + coalesce(octet_length("body"), 0) + coalesce(octet_length("text"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -((octet_length("subject") + coalesce(octet_length("body"), 0) + coalesce(octet_length("text"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Content_storage_added" AFTER INSERT ON "Content" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();
CREATE TRIGGER "Content_storage_removed" AFTER DELETE ON "Content" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();
CREATE TRIGGER "Content_storage_changed" AFTER UPDATE ON "Content" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();

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

CREATE FUNCTION enter_storage_of_jobfile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "JobFile_storage_added" AFTER INSERT ON "JobFile" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_jobfile();
CREATE TRIGGER "JobFile_storage_removed" AFTER DELETE ON "JobFile" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_jobfile();
CREATE TRIGGER "JobFile_storage_changed" AFTER UPDATE ON "JobFile" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_jobfile();

CREATE FUNCTION enter_storage_of_importfailedrows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'imports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ImportFailedRows_storage_added" AFTER INSERT ON "ImportFailedRows" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_importfailedrows();
CREATE TRIGGER "ImportFailedRows_storage_removed" AFTER DELETE ON "ImportFailedRows" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_importfailedrows();
CREATE TRIGGER "ImportFailedRows_storage_changed" AFTER UPDATE ON "ImportFailedRows" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_importfailedrows();

CREATE FUNCTION enter_storage_of_exportchunk() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'exports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'exports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'exports', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", (octet_length("bytes")::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -(octet_length("bytes")::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "ExportChunk_storage_added" AFTER INSERT ON "ExportChunk" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_exportchunk();
CREATE TRIGGER "ExportChunk_storage_removed" AFTER DELETE ON "ExportChunk" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_exportchunk();
CREATE TRIGGER "ExportChunk_storage_changed" AFTER UPDATE ON "ExportChunk" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_exportchunk();
