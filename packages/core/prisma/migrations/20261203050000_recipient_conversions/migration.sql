-- The goal of a campaign, and its recipients who reached it.
ALTER TABLE "Campaign" ADD COLUMN IF NOT EXISTS "goalId" UUID;
CREATE INDEX "Campaign_goal" ON "Campaign" ("goalId") WHERE "goalId" IS NOT NULL;

CREATE TABLE "RecipientConversion" (
    "goalId" UUID NOT NULL,
    "emailId" UUID NOT NULL,
    "projectId" UUID NOT NULL,
    "campaignId" UUID NOT NULL,
    "heldOut" BOOLEAN NOT NULL,
    "conversions" INTEGER NOT NULL,
    "value" DOUBLE PRECISION,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RecipientConversion_pkey" PRIMARY KEY ("goalId","emailId")
);
CREATE INDEX "RecipientConversion_projectId_idx" ON "RecipientConversion"("projectId");
CREATE INDEX "RecipientConversion_campaign" ON "RecipientConversion" ("campaignId", "goalId") INCLUDE ("heldOut", "value");
