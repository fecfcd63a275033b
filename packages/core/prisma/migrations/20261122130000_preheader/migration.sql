ALTER TABLE "Template" ADD COLUMN "preheader" TEXT;
ALTER TABLE "TemplateVersion" ADD COLUMN "preheader" TEXT;
ALTER TABLE "Campaign" ADD COLUMN "preheader" TEXT;
ALTER TABLE "Content" ADD COLUMN "preheader" TEXT;
