-- The name of a template for programs.
ALTER TABLE "Template" ADD COLUMN "alias" TEXT;
CREATE UNIQUE INDEX "Template_alias" ON "Template" ("projectId", "alias") WHERE "alias" IS NOT NULL;
