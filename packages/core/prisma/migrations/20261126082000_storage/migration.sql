CREATE TYPE "StorageKind" AS ENUM ('images', 'attachments', 'contents', 'templates', 'imports', 'exports');
CREATE TABLE "StorageUsage" (
  "projectId" UUID NOT NULL,
  "kind" "StorageKind" NOT NULL,
  "bytes" BIGINT NOT NULL,
  CONSTRAINT "StorageUsage_pkey" PRIMARY KEY ("projectId", "kind")
);
CREATE TABLE "StorageEntry" (
  "id" UUID NOT NULL,
  "projectId" UUID NOT NULL,
  "kind" "StorageKind" NOT NULL,
  "bytes" BIGINT NOT NULL,
  CONSTRAINT "StorageEntry_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "StorageEntry_projectId_idx" ON "StorageEntry" ("projectId");

ALTER TABLE "ExportChunk" ADD COLUMN "projectId" UUID;
ALTER TABLE "ImportFailedRows" ADD COLUMN "projectId" UUID;
UPDATE "ExportChunk" c SET "projectId" = j."projectId" FROM "Job" j WHERE j."id" = c."jobId";
UPDATE "ImportFailedRows" c SET "projectId" = j."projectId" FROM "Job" j WHERE j."id" = c."jobId";

-- Enters what a statement stores or removes of the storage of projects (behaviour B8.6), once per project. `octet_length` reads no byte of a
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
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", ((octet_length("subject") + coalesce(octet_length("body"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'contents', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -((octet_length("subject") + coalesce(octet_length("body"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'contents', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", ((octet_length("subject") + coalesce(octet_length("body"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -((octet_length("subject") + coalesce(octet_length("body"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Content_storage_added" AFTER INSERT ON "Content" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();
CREATE TRIGGER "Content_storage_removed" AFTER DELETE ON "Content" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();
CREATE TRIGGER "Content_storage_changed" AFTER UPDATE ON "Content" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_content();

CREATE FUNCTION enter_storage_of_template() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", ((octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -((octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", ((octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -((octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "Template_storage_added" AFTER INSERT ON "Template" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_template();
CREATE TRIGGER "Template_storage_removed" AFTER DELETE ON "Template" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_template();
CREATE TRIGGER "Template_storage_changed" AFTER UPDATE ON "Template" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_template();

CREATE FUNCTION enter_storage_of_templateversion() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", ((octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (SELECT "projectId", -((octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  ELSE
    INSERT INTO "StorageEntry" ("id", "projectId", "kind", "bytes")
    SELECT uuid7(), x."projectId", 'templates', x."bytes" FROM (
      SELECT s."projectId", sum(s."bytes") AS "bytes" FROM (
        SELECT "projectId", ((octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint) AS "bytes" FROM after WHERE "projectId" IS NOT NULL UNION ALL SELECT "projectId", -((octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint) AS "bytes" FROM before WHERE "projectId" IS NOT NULL) s GROUP BY 1 HAVING sum(s."bytes") <> 0) x;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "TemplateVersion_storage_added" AFTER INSERT ON "TemplateVersion" REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_templateversion();
CREATE TRIGGER "TemplateVersion_storage_removed" AFTER DELETE ON "TemplateVersion" REFERENCING OLD TABLE AS before
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_templateversion();
CREATE TRIGGER "TemplateVersion_storage_changed" AFTER UPDATE ON "TemplateVersion" REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION enter_storage_of_templateversion();

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

-- Entries come and go by the minute.
ALTER TABLE "StorageEntry" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- What is stored already. Nothing is written in between: CREATE TRIGGER has locked the tables until the end of this migration.
INSERT INTO "StorageUsage" ("projectId", "kind", "bytes")
SELECT "projectId", "kind", sum("bytes") FROM (
SELECT "projectId", 'images'::"StorageKind" AS "kind", "size"::bigint AS "bytes" FROM "Upload" WHERE "projectId" IS NOT NULL
UNION ALL SELECT "projectId", 'attachments'::"StorageKind" AS "kind", CASE WHEN "bytes" IS NULL THEN 0 ELSE "size" END::bigint AS "bytes" FROM "Blob" WHERE "projectId" IS NOT NULL
UNION ALL SELECT "projectId", 'contents'::"StorageKind" AS "kind", (octet_length("subject") + coalesce(octet_length("body"), 0))::bigint AS "bytes" FROM "Content" WHERE "projectId" IS NOT NULL
UNION ALL SELECT "projectId", 'templates'::"StorageKind" AS "kind", (octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint AS "bytes" FROM "Template" WHERE "projectId" IS NOT NULL
UNION ALL SELECT "projectId", 'templates'::"StorageKind" AS "kind", (octet_length("subject") + octet_length("body") + coalesce(pg_column_size("design"), 0))::bigint AS "bytes" FROM "TemplateVersion" WHERE "projectId" IS NOT NULL
UNION ALL SELECT "projectId", 'imports'::"StorageKind" AS "kind", octet_length("bytes")::bigint AS "bytes" FROM "JobFile" WHERE "projectId" IS NOT NULL
UNION ALL SELECT "projectId", 'imports'::"StorageKind" AS "kind", octet_length("bytes")::bigint AS "bytes" FROM "ImportFailedRows" WHERE "projectId" IS NOT NULL
UNION ALL SELECT "projectId", 'exports'::"StorageKind" AS "kind", octet_length("bytes")::bigint AS "bytes" FROM "ExportChunk" WHERE "projectId" IS NOT NULL
) s GROUP BY 1, 2 HAVING sum("bytes") > 0;
