-- Tags of links: what a project sets, what a campaign sets instead, and what the emails of a content have.
ALTER TABLE "Project" ADD COLUMN "utm" JSONB;
ALTER TABLE "Campaign" ADD COLUMN "utm" JSONB;
ALTER TABLE "Content" ADD COLUMN "utm" JSONB;
