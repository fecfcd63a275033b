-- Which contact fields the texts of templates, campaigns and steps name. Null until they are read: rows of before this are read in the
-- background, which parses their templates.
ALTER TABLE "Template" ADD COLUMN "textReads" text[];
ALTER TABLE "Campaign" ADD COLUMN "textReads" text[];
ALTER TABLE "WorkflowStep" ADD COLUMN "textReads" text[];

-- only the texts that are still to be read
CREATE INDEX "Template_unread" ON "Template" ("projectId") WHERE "textReads" IS NULL;
CREATE INDEX "Campaign_unread" ON "Campaign" ("projectId") WHERE "textReads" IS NULL;
CREATE INDEX "WorkflowStep_unread" ON "WorkflowStep" ("projectId") WHERE "textReads" IS NULL;
