-- The plain-text part that is written for itself. What is stored of it counts as the other texts do, so the sums of the rows are made anew.
ALTER TABLE "Content" ADD COLUMN "text" TEXT;
ALTER TABLE "Template" ADD COLUMN "text" TEXT, DROP COLUMN "storedBytes";
ALTER TABLE "TemplateVersion" ADD COLUMN "text" TEXT, DROP COLUMN "storedBytes";
ALTER TABLE "Campaign" ADD COLUMN "text" TEXT, DROP COLUMN "storedBytes";
ALTER TABLE "Template" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("text"), 0) + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "TemplateVersion" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("text"), 0) + coalesce(octet_length("design"::text), 0)) STORED;
ALTER TABLE "Campaign" ADD COLUMN "storedBytes" bigint NOT NULL GENERATED ALWAYS AS
  (octet_length("subject") + octet_length("body") + coalesce(octet_length("text"), 0) + coalesce(octet_length("design"::text), 0)) STORED;
