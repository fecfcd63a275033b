-- Campaigns that a second person has to approve before they are sent.
CREATE TYPE "ApprovalRequirement" AS ENUM ('NEVER', 'ABOVE', 'ALWAYS');
ALTER TABLE "Project" ADD COLUMN "approvalRequired" "ApprovalRequirement" NOT NULL DEFAULT 'NEVER', ADD COLUMN "approvalAbove" INTEGER;
ALTER TABLE "Campaign" ADD COLUMN "approvedHash" TEXT, ADD COLUMN "changedById" UUID;
-- One approval of a campaign waits at a time.
CREATE UNIQUE INDEX "Approval_campaign_waits" ON "Approval" ("campaignId") WHERE "status" = 'PENDING' AND "input" IS NULL;
CREATE INDEX "Approval_of_campaign" ON "Approval" ("campaignId", "createdAt" DESC, "id" DESC) WHERE "input" IS NULL;
