ALTER TABLE "Template" ADD COLUMN "design" JSONB;
ALTER TABLE "TemplateVersion" ADD COLUMN "design" JSONB;
ALTER TABLE "Campaign" ADD COLUMN "design" JSONB;
